import type { Problem, ProblemCode, ValidationError } from '../types/problem.ts';
import type { AppRegistryResponse } from './response.ts';

/**
 * A response that refuses the request, or does not come from a registry. The message tells people what to do; `code` is
 * for programs. Each status that programs distinguish has its own class.
 *
 * @example
 * try {
 *   await client.developer.apps.update(id, { name: 'Invoice Sync' });
 * } catch (error) {
 *   if (!(error instanceof AppRegistryError)) throw error;
 *   console.error(error.statusCode, error.code, error.message, error.requestId);
 * }
 */
export class AppRegistryError extends Error {
  override readonly name: string = 'AppRegistryError';
  readonly statusCode: number;
  /** Undefined if the response has no problem details. May be a code that is newer than this version. */
  readonly code: ProblemCode | undefined;
  readonly problem: Problem | undefined;
  /** Identifies the request. Include it when you ask for help. */
  readonly requestId: string | undefined;
  /** The delay that the registry requests before a retry. */
  readonly retryAfterMs: number | undefined;
  readonly response: AppRegistryResponse;

  /** Created by the client. */
  constructor(message: string, response: AppRegistryResponse, problem?: Problem) {
    super(message);
    this.statusCode = response.status;
    this.code = problem?.code;
    this.problem = problem;
    this.requestId = problem?.requestId ?? response.requestId;
    this.retryAfterMs = readRetryAfter(response);
    this.response = response;
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
export class UnauthorizedError extends AppRegistryError {
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
export class ForbiddenError extends AppRegistryError {
  override readonly name = 'ForbiddenError';
}

/**
 * 404: no app with this id can be reached with this token.
 *
 * @example
 * const app = await client.platform.apps.get(id).catch((error) => {
 *   if (error instanceof NotFoundError && error.code === 'app_not_found') return null;
 *   throw error;
 * });
 * console.log(app?.name ?? 'no such app');
 */
export class NotFoundError extends AppRegistryError {
  override readonly name = 'NotFoundError';
}

/**
 * 409: another app has the name, or the app awaits review and its content is frozen.
 *
 * @example
 * await client.developer.apps.update(id, { name: 'Invoice Sync' }).catch((error) => {
 *   if (error instanceof ConflictError) console.error(error.code === 'name_taken' ? 'Choose another name.' : error.message);
 * });
 */
export class ConflictError extends AppRegistryError {
  override readonly name = 'ConflictError';
}

/**
 * 412: another client has changed the app since the read that `ifMatch` names. Nothing was changed.
 *
 * @example
 * await client.developer.apps.update(id, { name: 'New' }, { ifMatch: '"7.0195f2c4"' }).catch((error) => {
 *   if (error instanceof PreconditionFailedError) console.error('Read the app again.', error.changedFields);
 * });
 */
export class PreconditionFailedError extends AppRegistryError {
  override readonly name = 'PreconditionFailedError';
  /** With `onConflict: 'merge'`: the fields of the update, such as `oauthInfo.loginUrl`, that another client has changed. */
  readonly changedFields: readonly string[];

  /** Created by the client. */
  constructor(
    message: string,
    response: AppRegistryResponse,
    problem?: Problem,
    changedFields: readonly string[] = [],
  ) {
    super(message, response, problem);
    this.changedFields = changedFields;
  }
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
export class UnprocessableContentError extends AppRegistryError {
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
export class TooManyRequestsError extends AppRegistryError {
  override readonly name = 'TooManyRequestsError';
}

/**
 * The response did not complete in time. It is unknown whether an update took effect.
 *
 * @example
 * await client.platform.apps.get(id, { timeoutMs: 2_000 }).catch((error) => {
 *   if (error instanceof AppRegistryTimeoutError) console.error(error.message);
 * });
 */
export class AppRegistryTimeoutError extends Error {
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
export class AppRegistryConnectionError extends Error {
  override readonly name = 'AppRegistryConnectionError';
}

const classes: Record<number, typeof AppRegistryError> = {
  401: UnauthorizedError,
  403: ForbiddenError,
  404: NotFoundError,
  409: ConflictError,
  412: PreconditionFailedError,
  422: UnprocessableContentError,
  429: TooManyRequestsError,
};

/** The error for a response with this body. */
export function errorOf(response: AppRegistryResponse, body: string): AppRegistryError {
  const problem = readProblem(body);
  if (!problem) return notFromRegistry(response);
  const { detail, code, requestId, errors = [] } = problem;
  const lines = errors.map((error) => `\n${error.pointer || 'the update'}: ${error.detail}`).join('');
  const Class = classes[response.status] ?? AppRegistryError;
  return new Class(`${detail} (${response.status} ${code}, request ${requestId})${lines}`, response, problem);
}

/** The error for a response that does not come from a registry. */
export function notFromRegistry(response: AppRegistryResponse): AppRegistryError {
  const Class = classes[response.status] ?? AppRegistryError;
  return new Class(
    `The response (${response.status}, ${response.headers.get('content-type') ?? 'no content type'}) is not from a registry, or was truncated. Check the base URL, and any proxy in front of the registry.`,
    response,
  );
}

function readProblem(body: string): Problem | undefined {
  try {
    const problem: Problem = JSON.parse(body);
    const { code, detail, requestId, errors = [] } = problem;
    // Other servers also send JSON with a code.
    const isOurs = [code, detail, requestId].every((text) => typeof text === 'string') && Array.isArray(errors);
    return isOurs ? problem : undefined;
  } catch {
    return undefined;
  }
}

/** RFC 9110, 10.2.3: seconds or a date, which is relative to the clock of the sender. */
function readRetryAfter({ headers }: AppRegistryResponse): number | undefined {
  const value = headers.get('retry-after') ?? '';
  if (/^\d+$/.test(value)) return Number(value) * 1_000;
  const waitMs = Date.parse(value) - (Date.parse(headers.get('date') ?? '') || Date.now());
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs);
}
