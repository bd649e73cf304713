/**
 * Problem details (RFC 9457) of a refused request.
 *
 * @example
 * const describe = ({ title, detail }: Problem) => `${title}: ${detail}`;
 * await client.developer.apps.update(id, { name: 'Taken' }).catch((error) => {
 *   if (error instanceof AppRegistryError && error.problem) console.error(describe(error.problem));
 * });
 */
export interface Problem {
  /** A URL that identifies and documents the problem. */
  type: string;
  /** The kind of problem in a few words. */
  title: string;
  /** The status code of the response. */
  status: number;
  /** For people: what happened and what to do. The wording may change. */
  detail: string;
  /** The request id as a URN. */
  instance: string;
  /** For programs. */
  code: ProblemCode;
  /** Identifies the request. Include it when you ask for help. */
  requestId: string;
  /** All validation errors of the request, with `invalid_content`. */
  errors?: ValidationError[];
}

/**
 * One validation error: of a field of the body, with `pointer`, or of a query of the operator API, with `parameter`.
 *
 * @example
 * const describe = ({ pointer, detail }: ValidationError) => `${pointer || 'the update'}: ${detail}`;
 * await client.developer.apps.update(id, { name: '' }).catch((error) => {
 *   if (error instanceof UnprocessableContentError) console.error(error.errors.map(describe));
 * });
 */
export interface ValidationError {
  /** A JSON Pointer (RFC 6901) to the field; `""` is the body itself. */
  pointer?: string;
  /** The name of a parameter of the query. */
  parameter?: string;
  /** For programs. */
  code: ValidationErrorCode;
  /** For people: what is wrong and what to do. The wording may change. */
  detail: string;
}

/**
 * The problem codes of the two operations. A newer registry may send others: treat an unknown one by its status.
 *
 * @example
 * const retryLater: ProblemCode[] = ['app_under_review', 'request_in_progress'];
 * await client.developer.apps.update(id, { name: 'New' }).catch((error) => {
 *   if (error instanceof AppRegistryError && error.code && retryLater.includes(error.code)) console.error('Later.');
 * });
 */
export type ProblemCode =
  | 'malformed_request'
  | 'invalid_json'
  | 'token_missing'
  | 'token_invalid'
  | 'insufficient_scope'
  | 'https_required'
  | 'developer_suspended'
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
  | 'not_implemented'
  | 'unavailable'
  | (string & {});

/**
 * Why a field of an update is invalid. A newer registry may send other codes: handle unknown values.
 *
 * @example
 * const isLogo = ({ code }: ValidationError) => code === ('unusable_logo' satisfies ValidationErrorCode);
 * await client.developer.apps.update(id, { logoId: 'logo_01jq3va2c8f0ntb5m6b7k8c9d0' }).catch((error) => {
 *   if (error instanceof UnprocessableContentError && error.errors.some(isLogo)) console.error('Another logo.');
 * });
 */
export type ValidationErrorCode =
  | 'null_not_allowed'
  | 'wrong_type'
  | 'too_short'
  | 'too_long'
  | 'invalid_format'
  | 'unknown_field'
  | 'read_only_field'
  | 'unusable_logo'
  | (string & {});
