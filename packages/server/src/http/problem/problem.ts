import { STATUS_CODES } from 'node:http';
import {
  interfaceProblemTitles,
  type OperatorProblem,
  type OperatorValidationError,
  type ProblemCode,
  problemTitles,
} from '../../kernel/problem-details.ts';

/** The status number of each problem code, declared only here. */
export const problemStatuses: Record<ProblemCode, number> = {
  malformed_request: 400,
  invalid_json: 400,
  token_missing: 401,
  token_invalid: 401,
  insufficient_scope: 403,
  https_required: 403,
  origin_not_allowed: 403,
  sign_in_refused: 403,
  path_not_found: 404,
  app_not_found: 404,
  developer_not_found: 404,
  installation_not_found: 404,
  logo_not_found: 404,
  token_not_found: 404,
  webhook_not_found: 404,
  delivery_not_found: 404,
  protected_name_not_found: 404,
  note_not_found: 404,
  reason_template_not_found: 404,
  revision_not_found: 404,
  revision_archived: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  app_under_review: 409,
  name_taken: 409,
  request_in_progress: 409,
  review_status_conflict: 409,
  revision_mismatch: 409,
  already_exists: 409,
  app_claimed: 409,
  app_not_approved: 409,
  developer_suspended: 409,
  app_installed: 409,
  logo_in_use: 409,
  names_shared: 409,
  changes_undecided: 409,
  token_created: 409,
  token_ended: 409,
  webhook_created: 409,
  secret_replaced: 409,
  webhook_disabled: 409,
  cursor_expired: 410,
  precondition_failed: 412,
  body_too_large: 413,
  unsupported_media_type: 415,
  expectation_failed: 417,
  invalid_content: 422,
  idempotency_key_reused: 422,
  host_not_served: 421,
  too_many_requests: 429,
  headers_too_large: 431,
  internal_error: 500,
  not_implemented: 501,
  unavailable: 503,
};

/** The same as the public interface reports them: there, the developer who is suspended makes the request. */
export const interfaceProblemStatuses: Record<ProblemCode, number> = { ...problemStatuses, developer_suspended: 403 };

/** Where Node has a name from before RFC 9110. */
const renamedPhrases: Record<number, string> = { 413: 'Content Too Large', 422: 'Unprocessable Content' };

/** For the status line (RFC 9110, 15). */
export function reasonPhrase(status: number): string {
  return renamedPhrases[status] ?? STATUS_CODES[status] ?? '';
}

export const problemMediaType = 'application/problem+json';

/** A problem found by a listener itself, outside the rules of the registry. */
export class HttpProblem extends Error {
  override readonly name = 'HttpProblem';
  readonly code: ProblemCode;
  readonly headers: Record<string, string>;
  /** Where it is not that of the code in the operator API. */
  readonly status: number | undefined = undefined;

  constructor(code: ProblemCode, detail: string, headers: Record<string, string> = {}) {
    super(detail);
    this.code = code;
    this.headers = headers;
  }
}

/** For a path without a route. */
export function pathNotFound(): HttpProblem {
  return new HttpProblem('path_not_found', 'Nothing is served at this path. Check the URL.');
}

export interface ProblemInput {
  code: ProblemCode;
  detail: string;
  requestId: string;
  errors?: OperatorValidationError[] | undefined;
  /** Where it is not that of the code in the operator API. */
  status?: number | undefined;
}

/** The addresses of both listeners, without a slash at the end. The problem codes are documented there. */
export interface ProblemDocs {
  baseUrl: string;
  operatorBaseUrl: string;
}

/** The problem details of a response. A code has the same type on both listeners. */
export function problemBody(
  { baseUrl, operatorBaseUrl }: ProblemDocs,
  { code, detail, requestId, errors, status = problemStatuses[code] }: ProblemInput,
): OperatorProblem {
  return {
    type: `${code in interfaceProblemTitles ? baseUrl : operatorBaseUrl}/docs#${code}`,
    title: titleOf(code, status),
    status,
    detail,
    instance: `urn:uuid:${requestId}`,
    code,
    requestId,
    ...(errors && { errors }),
  };
}

function titleOf(code: ProblemCode, status: number): string {
  const titles: Partial<Record<ProblemCode, string>> =
    status === problemStatuses[code] ? problemTitles : interfaceProblemTitles;
  return titles[code] ?? problemTitles[code];
}
