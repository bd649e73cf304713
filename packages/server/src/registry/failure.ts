import { check, type Schema, type ValueOf } from '../contract/check.ts';
import type { ProblemCode, ValidationError } from '../contract/problem.ts';
import { isTypeId } from './type-id.ts';

/** What a rule of the registry can refuse. */
export type FailureCode = Extract<
  ProblemCode,
  | 'app_not_found'
  | 'developer_not_found'
  | 'installation_not_found'
  | 'logo_not_found'
  | 'token_not_found'
  | 'webhook_not_found'
  | 'delivery_not_found'
  | 'app_under_review'
  | 'name_taken'
  | 'request_in_progress'
  | 'idempotency_key_reused'
  | 'review_status_conflict'
  | 'app_not_approved'
  | 'app_installed'
  | 'already_exists'
  | 'token_issued'
  | 'webhook_created'
  | 'secret_replaced'
  | 'webhook_disabled'
  | 'precondition_failed'
  | 'invalid_content'
>;

/** A refusal: the caller's doing, told to the caller. Anything else that is thrown is a bug. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly code: FailureCode;
  readonly faults: ValidationError[] | undefined;

  /** `detail` says what happened and what to do, in whole sentences. */
  constructor(code: FailureCode, detail: string, faults?: ValidationError[]) {
    super(detail);
    this.code = code;
    this.faults = faults;
  }
}

/** Refuses content for these faults, if there are any. */
export function throwIfInvalid(faults: ValidationError[] | null): void {
  if (faults && faults.length > 0) throw invalidContent(faults);
}

/** Returns a value from outside as its schema's type. Refuses with `invalid_content` and all its validation errors. */
export function requireValid<S extends Schema>(schema: S, value: unknown): ValueOf<S> {
  throwIfInvalid(check(schema, value));
  return value as ValueOf<S>;
}

export function invalidContent(faults: ValidationError[]): Failure {
  const count = faults.length === 1 ? 'One value' : `${faults.length} values`;
  return new Failure('invalid_content', `${count} cannot be accepted. Nothing was changed.`, faults);
}

/** One answer for every app that the caller cannot reach, whatever the reason (decision 25). */
export function appNotFound(): Failure {
  return new Failure('app_not_found', 'No app with this id can be found here. Check the id.');
}

/** Refuses what is no app id at all: a database may not even take such a text for a question. */
export function requireAppId(id: string): void {
  if (!isTypeId(id, 'app')) throw appNotFound();
}
