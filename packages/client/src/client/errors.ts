import type { Problem, ProblemCode, ValidationError } from '../types/problem.ts';
import type { AppRegistryResponse } from './response.ts';

/**
 * An answer that refuses the request, or is none of a registry. Its message says what to do, for a person; `code` is
 * for programs. Each status that programs tell apart has a class of its own.
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
  /** Undefined when the answer has no problem details; a code that is newer than this version passes. */
  readonly code: ProblemCode | undefined;
  readonly problem: Problem | undefined;
  /** Names the request; say it when you ask for help. */
  readonly requestId: string | undefined;
  /** How long the registry asks to wait before the request is repeated. */
  readonly retryAfterMs: number | undefined;
  readonly response: AppRegistryResponse;

  /** Made by the client. */
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
 * 401: there is no token, or it is unknown, expired or revoked. Get a new one; repeating with this one is no use.
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
 * 403: the token is good, but of a kind that this operation does not take, or it has crossed a network in plain text.
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
 * 412: somebody has changed the app since the read that `ifMatch` names. Nothing was changed.
 *
 * @example
 * await client.developer.apps.update(id, { name: 'New' }, { ifMatch: '"7.0195f2c4"' }).catch((error) => {
 *   if (error instanceof PreconditionFailedError) console.error('Read the app again.', error.changedFields);
 * });
 */
export class PreconditionFailedError extends AppRegistryError {
  override readonly name = 'PreconditionFailedError';
  /** With `onConflict: 'merge'`: the fields of the update, such as `oauthInfo.loginUrl`, that somebody has changed. */
  readonly changedFields: readonly string[];

  /** Made by the client. */
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
 * 422: something in the update cannot be accepted. Nothing was changed.
 *
 * @example
 * await client.developer.apps.update(id, { name: '' }).catch((error) => {
 *   if (!(error instanceof UnprocessableContentError)) throw error;
 *   for (const { pointer, code, detail } of error.errors) console.error(pointer, code, detail);
 * });
 */
export class UnprocessableContentError extends AppRegistryError {
  override readonly name = 'UnprocessableContentError';

  /** All faults of the update at once; none with `idempotency_key_reused`. */
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
 * No whole answer came in time. Whether an update took effect is not known then.
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
 * The registry could not be reached, or the connection was lost before the answer was whole; `cause` says more.
 * Whether an update took effect is not known then.
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

/** The error that an answer with this body is. */
export function errorOf(response: AppRegistryResponse, body: string): AppRegistryError {
  const problem = readProblem(body);
  if (!problem) return notFromRegistry(response);
  const { detail, code, requestId, errors = [] } = problem;
  const faults = errors.map((fault) => `\n${fault.pointer || 'the update'}: ${fault.detail}`).join('');
  const Class = classes[response.status] ?? AppRegistryError;
  return new Class(`${detail} (${response.status} ${code}, request ${requestId})${faults}`, response, problem);
}

/** An answer that a registry does not give. */
export function notFromRegistry(response: AppRegistryResponse): AppRegistryError {
  const Class = classes[response.status] ?? AppRegistryError;
  return new Class(
    `The answer (${response.status}, ${response.headers.get('content-type') ?? 'no content type'}) is not what a registry sends, or was cut. Check the base address, and what is in front of the registry.`,
    response,
  );
}

function readProblem(body: string): Problem | undefined {
  try {
    const problem: Problem = JSON.parse(body);
    const { code, detail, requestId, errors = [] } = problem;
    // Others answer JSON with a code too.
    const isOurs = [code, detail, requestId].every((text) => typeof text === 'string') && Array.isArray(errors);
    return isOurs ? problem : undefined;
  } catch {
    return undefined;
  }
}

/** RFC 9110, 10.2.3: seconds or a date, which is counted from the clock of who has sent it. */
function readRetryAfter({ headers }: AppRegistryResponse): number | undefined {
  const value = headers.get('retry-after') ?? '';
  if (/^\d+$/.test(value)) return Number(value) * 1_000;
  const waitMs = Date.parse(value) - (Date.parse(headers.get('date') ?? '') || Date.now());
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs);
}
