import type { OperatorValidationError, ProblemCode } from './problem-details.ts';

/** The reasons for which an operation refuses. */
export type FailureCode = Extract<
  ProblemCode,
  | 'app_not_found'
  | 'developer_not_found'
  | 'installation_not_found'
  | 'logo_not_found'
  | 'token_not_found'
  | 'webhook_not_found'
  | 'delivery_not_found'
  | 'protected_name_not_found'
  | 'note_not_found'
  | 'reason_template_not_found'
  | 'revision_not_found'
  | 'revision_archived'
  | 'app_under_review'
  | 'name_taken'
  | 'request_in_progress'
  | 'idempotency_key_reused'
  | 'review_status_conflict'
  | 'revision_mismatch'
  | 'app_claimed'
  | 'app_not_approved'
  | 'developer_suspended'
  | 'app_installed'
  | 'logo_in_use'
  | 'names_shared'
  | 'changes_undecided'
  | 'already_exists'
  | 'token_created'
  | 'token_ended'
  | 'webhook_created'
  | 'secret_replaced'
  | 'webhook_disabled'
  | 'cursor_expired'
  | 'precondition_failed'
  | 'too_many_requests'
  | 'invalid_content'
  | 'insufficient_scope'
>;

/** A refusal that is reported to the caller, who can act on it. Any other error is a bug. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly code: FailureCode;
  readonly errors: OperatorValidationError[] | undefined;

  /** `detail` says what happened and what to do, in full sentences. */
  constructor(code: FailureCode, detail: string, errors?: OperatorValidationError[]) {
    super(detail);
    this.code = code;
    this.errors = errors;
  }
}

export function invalidContent(errors: OperatorValidationError[]): Failure {
  const count = errors.length === 1 ? 'One value' : `${errors.length} values`;
  return new Failure('invalid_content', `${count} cannot be accepted. Nothing was changed.`, errors);
}

/** The same response for every app that the caller cannot reach, regardless of the reason. */
export function appNotFound(): Failure {
  return new Failure('app_not_found', 'No app with this id was found. Check the id.');
}

export function developerNotFound(userId: string): Failure {
  return new Failure(
    'developer_not_found',
    `No developer has the user id ${userId}. Create the developer first, or check the id.`,
  );
}

/** The same for an operation that only reads: there was nothing to change, and all its input is in the query. */
export function asReadRefusal(error: unknown): unknown {
  if (!(error instanceof Failure)) return error;
  return new Failure(error.code, error.message.replace(/ Nothing was changed\.$/, ''), error.errors?.map(inQuery));
}

/** A validation error of a query, which names its parameter. None is read-only. */
export function inQuery({ pointer, ...error }: OperatorValidationError): OperatorValidationError {
  if (pointer === undefined) return error;
  const parameter = pointer.split('/')[1] ?? '';
  if (error.code === 'unknown_field' || error.code === 'read_only_field')
    return { parameter, code: 'unknown_field', detail: 'The parameter is unknown. Check its spelling.' };
  if (error.code === 'required') return { parameter, ...error, detail: 'The parameter is required.' };
  return { parameter, ...error };
}
