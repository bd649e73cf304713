import type { Problem, ProblemCode, ValidationError } from '../types/problem.ts';
import { parseJson } from './parse-json.ts';
import type { AppRegistryResponse } from './response.ts';

/**
 * Any failure that the client reports, except a `TypeError` for an argument and the reason of an aborted signal. The
 * message is for people and says what to do; `code` is for programs.
 *
 * @example
 * try {
 *   await client.developer.apps.update(id, { name: 'Invoice Sync' });
 * } catch (error) {
 *   if (!AppRegistryError.is(error)) throw error;
 *   console.error(error.statusCode, error.code, error.message, error.requestId);
 *   if (error.mayHaveTakenEffect) console.error('Read the app before you send the update again.');
 * }
 */
export class AppRegistryError extends Error {
  /** The name of the class. */
  override readonly name: string = 'AppRegistryError';
  /** Undefined if there was no response. */
  declare readonly statusCode: number | undefined;
  /** Undefined if there are no problem details. May be a code that is newer than this version. */
  declare readonly code: ProblemCode | undefined;
  /** The problem details; undefined if the response has none. */
  declare readonly problem: Problem | undefined;
  /** Identifies the request. Include it when you ask for help. */
  declare readonly requestId: string | undefined;
  /** The delay that the registry requests before a retry. */
  declare readonly retryAfterMs: number | undefined;
  /** The response that refuses the request; undefined if there was none. */
  declare readonly response: AppRegistryResponse | undefined;
  /**
   * Whether this or an earlier attempt may have made a change. Read what it changes before you send it again. Never true for
   * a read.
   */
  readonly mayHaveTakenEffect: boolean = false;

  /** Whether a value is such an error, even one of another copy of this package, which `instanceof` does not recognise. */
  static is(value: unknown): value is AppRegistryError {
    return value instanceof Error && 'mayHaveTakenEffect' in value;
  }

  /** Created by the client. */
  constructor(message: string, response?: AppRegistryResponse, problem?: Problem, options?: ErrorOptions) {
    super(message, options);
    this.statusCode = response?.status;
    this.code = problem?.code;
    this.problem = problem;
    this.requestId = problem?.requestId ?? response?.requestId;
    this.retryAfterMs = response && readRetryAfter(response);
    this.response = response;
  }

  /** Whether the same request may succeed later. */
  get isRetryable(): boolean {
    return false;
  }
}

/**
 * A response that refuses the request, or does not come from a registry. Each status that programs distinguish has its
 * own class.
 *
 * @example
 * await client.platform.apps.get(id).catch((error) => {
 *   if (error instanceof ResponseError) console.error(error.statusCode, error.response.headers.get('via'));
 * });
 */
export class ResponseError extends AppRegistryError {
  override readonly name: string = 'ResponseError';
  /** Of the response. */
  declare readonly statusCode: number;
  /** The response that refuses the request. */
  declare readonly response: AppRegistryResponse;

  override get isRetryable(): boolean {
    const { statusCode, code } = this;
    // The first attempt of a change is still in progress: a retry receives its response.
    return statusCode === 408 || statusCode === 429 || statusCode >= 500 || code === 'request_in_progress';
  }
}

/**
 * 401: there is no token, or it is unknown, expired or revoked. Get a new one; a retry with the same token fails again.
 *
 * @example
 * await client.platform.apps.get(id).catch((error) => {
 *   if (error instanceof UnauthorizedError) console.error('Renew the token.', error.code);
 * });
 */
export class UnauthorizedError extends ResponseError {
  override readonly name = 'UnauthorizedError';
}

/**
 * 403: the token is valid, but its kind does not permit this operation, or it was sent over a network in plain text.
 *
 * @example
 * await client.platform.apps.get(id).catch((error) => {
 *   if (error instanceof ForbiddenError) console.error('Get App takes a token of kind platform.', error.code);
 * });
 */
export class ForbiddenError extends ResponseError {
  override readonly name = 'ForbiddenError';
}

/**
 * 404: this token can access no app with this ID.
 *
 * @example
 * const app = await client.platform.apps.get(id).catch((error) => {
 *   if (error instanceof NotFoundError && error.code === 'app_not_found') return null;
 *   throw error;
 * });
 * console.log(app?.name ?? 'no such app');
 */
export class NotFoundError extends ResponseError {
  override readonly name = 'NotFoundError';
}

/**
 * 404: there is no such path. The base URL is wrong, the request reached something other than a registry, or the registry is
 * older than the operation. It does not say that an app does not exist.
 *
 * @example
 * await client.platform.apps.get(id).catch((error) => {
 *   if (error instanceof PathNotFoundError) console.error('Check the base URL.', error.message);
 * });
 */
export class PathNotFoundError extends ResponseError {
  override readonly name = 'PathNotFoundError';
}

/**
 * 409: another app has the name, or the app awaits review and its content is frozen.
 *
 * @example
 * await client.developer.apps.update(id, { name: 'Invoice Sync' }).catch((error) => {
 *   if (error instanceof ConflictError) console.error(error.code === 'name_taken' ? 'Choose another name.' : error.message);
 * });
 */
export class ConflictError extends ResponseError {
  override readonly name = 'ConflictError';
}

/**
 * 412: another client has changed the app since the read that `ifMatch` names. Nothing was changed.
 *
 * @example
 * await client.developer.apps.update(id, { name: 'New' }, { ifMatch: '"7.5f0c1a9e.Vb2xq0m9K3Ty"' }).catch((error) => {
 *   if (error instanceof PreconditionFailedError) console.error('Read the app again.', error.changedFields);
 * });
 */
export class PreconditionFailedError extends ResponseError {
  override readonly name = 'PreconditionFailedError';
  /** With `onConflict: 'merge'`: the fields of the update, such as `oauthInfo.loginUrl`, that another client has changed. */
  readonly changedFields: readonly string[] = [];
}

/**
 * 422: the update is invalid. Nothing was changed.
 *
 * @example
 * await client.developer.apps.update(id, { name: '' }).catch((error) => {
 *   if (!(error instanceof UnprocessableContentError)) throw error;
 *   for (const { pointer, code, detail } of error.errors) console.error(pointer, code, detail);
 * });
 */
export class UnprocessableContentError extends ResponseError {
  override readonly name = 'UnprocessableContentError';

  /** All validation errors of the update; none with `idempotency_key_reused`. */
  get errors(): readonly ValidationError[] {
    return this.problem?.errors ?? [];
  }
}

/**
 * 429: the token has used up its quota. Nothing was done.
 *
 * @example
 * await client.developer.apps.update(id, { name: 'New' }).catch((error) => {
 *   if (error instanceof TooManyRequestsError) console.error('Come back later.', error.retryAfterMs);
 * });
 */
export class TooManyRequestsError extends ResponseError {
  override readonly name = 'TooManyRequestsError';
}

/** There is no complete response. */
class UnknownOutcomeError extends AppRegistryError {
  override get isRetryable(): boolean {
    return true;
  }
}

/**
 * The response did not complete in time. It is unknown whether an update took effect.
 *
 * @example
 * await client.platform.apps.get(id, { timeoutMs: 2_000 }).catch((error) => {
 *   if (error instanceof AppRegistryTimeoutError) console.error(error.message);
 * });
 */
export class AppRegistryTimeoutError extends UnknownOutcomeError {
  override readonly name = 'AppRegistryTimeoutError';
}

/**
 * The registry could not be reached, or the connection was lost before the response was complete; see `cause`.
 * It is unknown whether an update took effect.
 *
 * @example
 * await client.platform.apps.get(id).catch((error) => {
 *   if (error instanceof AppRegistryConnectionError) console.error(error.message, error.cause);
 * });
 */
export class AppRegistryConnectionError extends UnknownOutcomeError {
  override readonly name = 'AppRegistryConnectionError';
}

const classes: Record<number, typeof ResponseError> = {
  401: UnauthorizedError,
  403: ForbiddenError,
  404: NotFoundError,
  409: ConflictError,
  412: PreconditionFailedError,
  422: UnprocessableContentError,
  429: TooManyRequestsError,
};

/** The error for a response with this body. Without problem details, it does not come from a registry. */
export function errorOf(response: AppRegistryResponse, body = ''): ResponseError {
  const problem = readProblem(body);
  const isPath = response.status === 404 && (!problem || problem.code === 'path_not_found');
  const Class = isPath ? PathNotFoundError : (classes[response.status] ?? ResponseError);
  return new Class(problem ? refusal(response, problem) : notFromRegistry(response), response, problem);
}

function readProblem(body: string): Problem | undefined {
  const problem: Problem = Object(parseJson(body));
  const { code, detail, requestId, errors = [] } = problem;
  // Other servers also send JSON with a code.
  const isOurs = [code, detail, requestId].every((text) => typeof text === 'string') && Array.isArray(errors);
  return isOurs ? problem : undefined;
}

function refusal({ status }: AppRegistryResponse, { detail, code, requestId, errors = [] }: Problem): string {
  const lines = errors
    .map(({ parameter, pointer, detail: what }) => `\n${parameter ?? (pointer || 'the update')}: ${what}`)
    .join('');
  return `${detail} (${status} ${code}, request ${requestId})${lines}`;
}

function notFromRegistry({ status, headers }: AppRegistryResponse): string {
  const received = `The response (${status}, ${headers.get('content-type') ?? 'no content type'})`;
  return [502, 503, 504].includes(status)
    ? `${received} is from a proxy that could not reach the registry. Try again later.`
    : `${received} is not from a registry, or was truncated. Check the base URL, and any proxy in front of the registry.`;
}

/** RFC 9110, 10.2.3: seconds or a date, which is relative to the clock of the sender. */
function readRetryAfter({ headers }: AppRegistryResponse): number | undefined {
  const value = headers.get('retry-after') ?? '';
  if (/^\d+$/.test(value)) return Number(value) * 1_000;
  const waitMs = Date.parse(value) - (Date.parse(headers.get('date') ?? '') || Date.now());
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs);
}
