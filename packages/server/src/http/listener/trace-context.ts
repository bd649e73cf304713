import type { IncomingHttpHeaders } from 'node:http';

/** W3C Trace Context, 3.2: a later version may have more after the same fields. */
const format = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
/** The flags that are defined: sampled, and random trace id. Others must not be passed on. */
const knownFlags = 0b11;

/** The `traceparent` of a request in version 00; undefined if there is none, or an invalid one, which counts as none. */
export function traceparentOf({ traceparent }: IncomingHttpHeaders): string | undefined {
  if (traceparent === undefined) return undefined;
  const [, version, traceId, parentId, flags = '', more] = format.exec(String(traceparent)) ?? [];
  if (version === undefined || (version === '00' && more !== undefined)) return undefined;
  const known = Number.parseInt(flags, 16) & knownFlags;
  return `00-${traceId}-${parentId}-0${known}`;
}

/** The trace that a `traceparent` names. */
export function traceIdOf(traceparent: string): string {
  return traceparent.slice(3, 35);
}
