import type { WithResponse } from './api-promise.ts';
import { newKey } from './idempotency-key.ts';
import type { Connection, RequestHeaders, RequestOptions } from './options.ts';
import { type Method, parseObject, readText, send } from './request.ts';
import { describeResponse } from './response.ts';

/**
 * What a request contains.
 *
 * @example
 * const parts: RequestParts = { query: { limit: 100 } };
 * const page = await operator.request('GET', '/operator/v1/apps', parts);
 */
export interface RequestParts {
  /** Texts, numbers and booleans by name; `undefined` is not sent. */
  query?: object | undefined;
  /** Sent as JSON, unless it is a form. */
  body?: unknown;
  /** The `etag` of what the request changes. */
  ifMatch?: string | undefined;
}

/** The same for an operation whose declaration is known. */
export interface Parts extends RequestParts {
  /** Whether the registry recognises a repeated request by its `Idempotency-Key`; without it, only reads are repeated. */
  once?: boolean;
  /** For how long the registry may wait before it responds, beside the timeout. */
  waitMs?: number;
}

/** Sends a request whose response is a JSON object, or has no content: then the data is undefined. */
export function requestJson<Data>(
  connection: Connection,
  method: Method,
  path: string,
  { options, ...parts }: Parts & { options: RequestOptions },
): Promise<WithResponse<Data>> {
  const { query, body, once = false, waitMs = 0 } = parts;
  const isForm = typeof FormData === 'function' && body instanceof FormData;
  const call = {
    method,
    path: path + queryOf(query),
    headers: headersOf(method, parts, isForm),
    body: isForm ? body : body === undefined ? undefined : JSON.stringify(body),
    isRepeatable: once || method === 'GET',
    waitMs,
    options,
  };
  return send(connection, call, async (received) => {
    const response = describeResponse(received);
    const text = await readText(connection, received);
    return { data: received.status === 204 ? (undefined as Data) : parseObject<Data>(response, text), response };
  });
}

function headersOf(method: Method, { body, ifMatch }: Parts, isForm: boolean): RequestHeaders {
  return {
    'content-type': body === undefined || isForm ? undefined : 'application/json',
    'if-match': ifMatch,
    'idempotency-key': method === 'POST' ? newKey() : undefined,
  };
}

function queryOf(query: object = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return given.length > 0 ? `?${new URLSearchParams(given.map(([name, value]) => [name, `${value}`]))}` : '';
}
