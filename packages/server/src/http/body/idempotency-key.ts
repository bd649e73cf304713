import type { IncomingHttpHeaders } from 'node:http';
import type { Principal } from '../../features/access/authenticate.ts';
import type { Caller } from '../../kernel/registry.ts';
import { traceparentOf } from '../listener/request-log.ts';
import { HttpProblem } from '../problem/problem.ts';

const visible = /^[\x21-\x7e]{1,255}$/;
/** RFC 9651, 3.3.3: a backslash escapes a quote or a backslash, and nothing else. */
const quoted = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/;

/**
 * The key in an Idempotency-Key field: a structured-field string, as the IETF draft has it, or the bare
 * characters, as many clients send it. Both forms of one key are the same key.
 */
export function idempotencyKey(field: string | string[] | undefined): string | undefined {
  if (field === undefined) return undefined;
  const text = String(field).trim();
  const key = text.startsWith('"') ? quoted.exec(text)?.[1]?.replaceAll(/\\(.)/g, '$1') : text;
  if (key !== undefined && visible.test(key)) return key;
  throw new HttpProblem(
    'malformed_request',
    'The Idempotency-Key must be 1 to 255 visible ASCII characters, with or without quotes around them.',
  );
}

/** Of a response that repeats the first one to a key. */
export const replayedField = { 'idempotency-replayed': 'true' };

/** The principal of the request's token as the author of a change that a repeat with the same key does not make again. */
export function callerOf(
  { id, headers }: { id: string; headers: IncomingHttpHeaders },
  principal: Principal,
  onReplay: () => void,
): Caller {
  const key = idempotencyKey(headers['idempotency-key']);
  return {
    actor: principal.id,
    requestId: id,
    traceparent: traceparentOf(headers),
    idempotency: key === undefined ? undefined : { key, onReplay },
  };
}
