import type { WithResponse } from './api-promise.ts';
import { newKey } from './idempotency-key.ts';
import type { Connection, Method, RequestOptions, RequestParts } from './options.ts';
import { type ReadResponse, readObject, send } from './request.ts';

/** The same for an operation whose declaration is known. */
export interface Parts extends RequestParts {
  /** The `etag` of what the caller has cached. */
  ifNoneMatch?: string | undefined;
  /** How long the registry may wait before it responds, in addition to the timeout. */
  waitMs?: number;
}

/** Sends a request. Its response is a JSON object, unless `read` reads something else. */
export async function requestJson<Data>(
  connection: Connection,
  method: Method,
  path: string,
  { options, ...parts }: Parts & { options: RequestOptions },
  read: ReadResponse<Data> = readObject,
): Promise<WithResponse<Data>> {
  const { query, ifMatch, ifNoneMatch, waitMs } = parts;
  // JSON omits undefined fields.
  const body = parts.body instanceof FormData ? parts.body : JSON.stringify(parts.body);
  const headers = {
    'content-type': typeof body === 'string' ? 'application/json' : undefined,
    'if-match': ifMatch,
    'if-none-match': ifNoneMatch,
    'idempotency-key': /^P/.test(method) ? newKey() : undefined,
  };
  return send(connection, { method, path: path + queryOf(query), headers, body, waitMs, options }, read);
}

/** A parameter with several values is repeated for each. */
function queryOf(query: object = {}): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat()) if (one !== undefined) given.append(name, `${one}`);
  }
  return given.size > 0 ? `?${given}` : '';
}
