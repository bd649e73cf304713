import { check } from '../../../kernel/check.ts';
import { requireValid, throwIfInvalid } from '../../../kernel/failure.ts';
import type { ValidationError } from '../../../kernel/problem-details.ts';
import { Approval, Rejection, Revocation } from './decision.ts';
import { NoDetails, type ReviewStep } from './review-status.ts';

/** The details of a step, of which each has some. */
export type StepDetails = Omit<Revocation, 'reason'>;

const schemas = {
  submit: NoDetails,
  withdraw: NoDetails,
  approve: Approval,
  reject: Rejection,
  'reject-change': Rejection,
  revoke: Revocation,
} as const satisfies Record<ReviewStep, object>;

/** The valid details of a step. Refuses with `invalid_content` and every error. */
export function readDetails(step: ReviewStep, input: unknown = {}): StepDetails {
  const schema = schemas[step];
  if (schema === NoDetails || schema === Approval) return requireValid(schema, input);
  throwIfInvalid([...(check(schema, input) ?? []), ...messageErrors(input)]);
  const { reason, ...details } = requireValid(schema, input) as Revocation;
  return { ...details, ...(reason !== undefined && { message: reason }) };
}

/** The message of a rejection has two names, of which one is given. */
function messageErrors(input: unknown): ValidationError[] {
  const { message, reason } = Object(input);
  if (message !== undefined && reason !== undefined) {
    const detail = 'The field is another name for "message". Send only one of the two.';
    return [{ pointer: '/reason', code: 'not_allowed', detail }];
  }
  if (message !== undefined || reason !== undefined || typeof input !== 'object') return [];
  return [{ pointer: '/message', code: 'required', detail: 'The field is required: the developer needs to know why.' }];
}
