import type { WithResponse } from './api-promise.ts';
import { AppRegistryError } from './errors.ts';
import { newKey } from './idempotency-key.ts';
import type { Connection, RequestHeaders, RequestOptions, Retry } from './options.ts';
import { type Method, parseObject, readText, send } from './request.ts';
import { describeResponse } from './response.ts';

/** A repeat of what has shown a secret is refused with these: the change has been made. */
const shownOnce = ['token_issued', 'webhook_created', 'secret_replaced'];

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
  /** For how long the registry may wait before it responds, beside the timeout. */
  waitMs?: number;
}

/** Sends a request whose response is a JSON object, or has no content: then the data is undefined. */
export async function requestJson<Data>(
  connection: Connection,
  method: Method,
  path: string,
  { options, ...parts }: Parts & { options: RequestOptions },
): Promise<WithResponse<Data>> {
  const { query, body, waitMs = 0 } = parts;
  const isForm = typeof FormData === 'function' && body instanceof FormData;
  const call = {
    method,
    path: path + queryOf(query),
    headers: headersOf(method, parts, isForm),
    body: isForm ? body : body === undefined ? undefined : JSON.stringify(body),
    waitMs,
    options,
  };
  let isUnknown = false;
  const onRetry = (retry: Retry) => {
    isUnknown ||= retry.error.mayHaveTakenEffect;
    connection.onRetry?.(retry);
  };
  try {
    return await send({ ...connection, onRetry }, call, async (received) => {
      const response = describeResponse(received);
      const text = await readText(connection, received);
      return { data: received.status === 204 ? (undefined as Data) : parseObject<Data>(response, text), response };
    });
  } catch (error) {
    // A deletion has no key: what it has deleted, its retry does not find.
    const isDone =
      AppRegistryError.is(error) && (method === 'DELETE' ? isUnknown : shownOnce.includes(`${error.code}`));
    if (isDone) Object.defineProperty(error, 'mayHaveTakenEffect', { value: true });
    throw error;
  }
}

function headersOf(method: Method, { body, ifMatch }: Parts, isForm: boolean): RequestHeaders {
  return {
    'content-type': body === undefined || isForm ? undefined : 'application/json',
    'if-match': ifMatch,
    'idempotency-key': method === 'POST' || method === 'PATCH' ? newKey() : undefined,
  };
}

function queryOf(query: object = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return given.length > 0 ? `?${new URLSearchParams(given.map(([name, value]) => [name, `${value}`]))}` : '';
}
