import { type OperatorOperation, takesIdempotencyKey } from './operation-declaration.ts';
import type { ProblemCode } from './problem-details.ts';

/** What any operation of the operator API can be refused with. */
const commonRefusals: ProblemCode[] = [
  'malformed_request',
  'token_missing',
  'token_invalid',
  'insufficient_scope',
  'https_required',
  'origin_not_allowed',
  'request_timeout',
  'expectation_failed',
  'host_not_served',
  'invalid_content',
  'headers_too_large',
  'internal_error',
  'not_implemented',
  'unavailable',
];
const bodyRefusals: ProblemCode[] = ['body_too_large', 'unsupported_media_type'];
const idempotencyRefusals: ProblemCode[] = ['request_in_progress', 'idempotency_key_reused'];

/** Everything that an operation of the operator API can be refused with. */
export function refusalsOf(operation: OperatorOperation): ProblemCode[] {
  const { method, form, ifMatch, refusals = [] } = operation;
  // A client can send a body to any operation that changes something, also to one that takes none.
  const refusesBodies = method !== 'GET';
  return [
    ...commonRefusals,
    ...(refusesBodies ? bodyRefusals : []),
    ...(refusesBodies && !form ? (['invalid_json'] as const) : []),
    ...(takesIdempotencyKey(operation) ? idempotencyRefusals : []),
    ...(ifMatch ? (['precondition_failed'] as const) : []),
    ...(ifMatch === 'required' ? (['precondition_required'] as const) : []),
    ...refusals,
  ];
}
