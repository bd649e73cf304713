import type Type from 'typebox';
import type { ProblemCode } from './problem-details.ts';
import type { TokenKind, TokenScope } from './registry.ts';

/**
 * One operation, declared once under its operationId. Its route, OpenAPI entry, command and client method refer to it
 * by that name.
 */
export interface Operation {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  /** What it does, in a few words, and in a few sentences. */
  summary: string;
  description?: string;
  query?: Type.TObject;
  body?: Type.TSchema;
  /** Whether the body may be left out, which means an empty object. */
  isBodyOptional?: true;
  /** Accepted instead of a JSON body. */
  form?: Form;
  /** Whether it creates an object: the response has status 201. */
  creates?: true;
  /** Whether it honours an If-Match, or requires one. */
  ifMatch?: 'optional' | 'required';
  response: Type.TSchema;
  /** Whether the response is a stream of server-sent events, each with such a value as its data. */
  streams?: true;
  refusals?: readonly ProblemCode[];
}

/** An operation of the operator API. Its `refusals` are those beside the ones that every such operation has. */
export interface OperatorOperation extends Operation {
  scope: TokenScope;
  /** Another scope that suffices. */
  orScope?: TokenScope;
  /** A scope with which it is refused, regardless of the others. */
  notScope?: TokenScope;
}

/** An operation of the public interface, for tokens of one kind. Its `refusals` are all that it has. */
export interface PublicOperation extends Operation {
  kind: Exclude<TokenKind, 'operator'>;
  description: string;
  refusals: readonly ProblemCode[];
}

/** The parameters in a path, such as `id` in `/apps/:id`; unknown when the path is. */
export type PathParams<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Record<Name, string> & PathParams<Rest>
  : Path extends `${string}:${infer Name}`
    ? Record<Name, string>
    : unknown;

/** A body of some texts and one file (RFC 7578). */
export interface Form {
  /** The schemas of its parts, by their names. */
  parts: Type.TObject;
  /** The part that is the file, regardless of its headers. */
  file: { name: string; bytesMax: number; mediaTypes: readonly string[] };
}

/** Whether it honours an Idempotency-Key: a repeat under the same one changes nothing more. A DELETE needs none. */
export function takesIdempotencyKey({ method }: Operation): boolean {
  return method === 'POST' || method === 'PATCH';
}

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
