/**
 * Problem details (RFC 9457): what the registry tells when it refuses something.
 *
 * @example
 * const told = ({ title, detail }: Problem) => `${title}: ${detail}`;
 * await client.developer.apps.update(id, { name: 'Taken' }).catch((error) => {
 *   if (error instanceof AppRegistryError && error.problem) console.error(told(error.problem));
 * });
 */
export interface Problem {
  /** An address that names the problem; its documentation is there. */
  type: string;
  title: string;
  status: number;
  /** What happened and what to do, for a person. Its wording may change. */
  detail: string;
  /** The request id as a URN. */
  instance: string;
  /** What a program decides by. */
  code: ProblemCode;
  requestId: string;
  /** Every fault of the body, with `invalid_content`. */
  errors?: ValidationError[];
}

/**
 * One fault of the body of an update.
 *
 * @example
 * const told = ({ pointer, detail }: ValidationError) => `${pointer || 'the update'}: ${detail}`;
 * await client.developer.apps.update(id, { name: '' }).catch((error) => {
 *   if (error instanceof UnprocessableContentError) console.error(error.errors.map(told));
 * });
 */
export interface ValidationError {
  /** A JSON Pointer (RFC 6901) to the member; `""` is the whole body. */
  pointer: string;
  code: ValidationErrorCode;
  detail: string;
}

/**
 * The problems that the two operations can tell. A newer registry may tell one that is not here: keep a default.
 *
 * @example
 * const awaited: ProblemCode[] = ['app_under_review', 'request_in_progress'];
 * await client.developer.apps.update(id, { name: 'New' }).catch((error) => {
 *   if (error instanceof AppRegistryError && error.code && awaited.includes(error.code)) console.error('Later.');
 * });
 */
export type ProblemCode =
  | 'malformed_request'
  | 'invalid_json'
  | 'token_missing'
  | 'token_invalid'
  | 'insufficient_scope'
  | 'https_required'
  | 'path_not_found'
  | 'app_not_found'
  | 'logo_not_found'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'app_under_review'
  | 'name_taken'
  | 'request_in_progress'
  | 'precondition_failed'
  | 'body_too_large'
  | 'unsupported_media_type'
  | 'expectation_failed'
  | 'invalid_content'
  | 'idempotency_key_reused'
  | 'too_many_requests'
  | 'headers_too_large'
  | 'internal_error'
  | 'unavailable';

/**
 * Why one member of an update was refused. A newer registry may tell one that is not here: keep a default.
 *
 * @example
 * const isLogo = ({ code }: ValidationError) => code === ('unusable_logo' satisfies ValidationErrorCode);
 * await client.developer.apps.update(id, { logoId: 'logo_x' }).catch((error) => {
 *   if (error instanceof UnprocessableContentError && error.errors.some(isLogo)) console.error('Another logo.');
 * });
 */
export type ValidationErrorCode =
  | 'null_not_allowed'
  | 'wrong_type'
  | 'too_short'
  | 'too_long'
  | 'invalid_format'
  | 'unknown_member'
  | 'read_only_member'
  | 'unusable_logo';
