import { Attempt } from './attempt.ts';
import { AppRegistryConnectionError, errorOf, notFromRegistry } from './errors.ts';
import type { Connection, RequestHeaders, RequestOptions } from './options.ts';
import { type AppRegistryResponse, describeResponse } from './response.ts';
import { withRetries } from './retry.ts';
import { VERSION } from './version.ts';

/** Chromium ignores a `User-Agent` that a page sets. */
const clientField = 'document' in globalThis ? 'x-app-registry-client' : 'user-agent';
const clientName = `app-registry-client/${VERSION}`;
const defaultTimeoutMs = 60_000;
const defaultMaxRetries = 2;

/**
 * The methods of the API.
 *
 * @example
 * const method: Method = 'PATCH';
 * await operator.request(method, `/operator/v1/apps/${id}`, { body: { name: 'Invoice Sync' } });
 */
export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** One request, independent of the number of attempts. */
export interface Call {
  method: Method;
  /** With its query. */
  path: string;
  headers?: RequestHeaders | undefined;
  body?: string | FormData | undefined;
  /** For how long the registry may wait before it responds, beside the timeout. */
  waitMs?: number;
  options: RequestOptions;
}

/** Sends a request and reads the response, with retries. `read` also receives a 304. */
export async function send<T>(
  connection: Connection,
  call: Call,
  read: (response: Response, attempt: Attempt) => Promise<T>,
): Promise<T> {
  const {
    signal,
    timeoutMs = connection.timeoutMs ?? defaultTimeoutMs,
    maxRetries = connection.maxRetries ?? defaultMaxRetries,
  } = call.options;
  return withRetries({ maxRetries, signal, onRetry: connection.onRetry }, () => {
    const attempt = new Attempt(timeoutMs && timeoutMs + (call.waitMs ?? 0), signal);
    return attempt.within(async (ended) => {
      let response = await exchange(connection, call, ended);
      if (response.status === 401 && typeof connection.token === 'function') {
        // The token may have expired since the function returned it.
        await response.text();
        response = await exchange(connection, call, ended);
      }
      if (response.ok || response.status === 304) return read(response, attempt);
      throw errorOf(describeResponse(response), await readText(connection, response));
    });
  });
}

/** Sends a request once. */
async function exchange(connection: Connection, call: Call, signal: AbortSignal): Promise<Response> {
  const { method, path, body = null } = call;
  const url = connection.baseUrl + path;
  const headers = await headersOf(connection, call);
  connection.onRequest?.({ method, url });
  const response = await withConnectionError(connection, () =>
    // A token must not follow a redirect.
    (connection.fetch ?? fetch)(url, { method, headers, body, signal, redirect: 'manual' }),
  );
  connection.onResponse?.({ method, url, response: describeResponse(response) });
  return response;
}

/** The complete body of a response. */
export function readText(connection: Connection, response: Response): Promise<string> {
  return withConnectionError(connection, () => response.text());
}

/** Checks only that the body is a JSON object: a newer registry may send more fields. */
export function parseObject<T>(response: AppRegistryResponse, body: string): T {
  try {
    const value = JSON.parse(body);
    if (typeof value === 'object' && value) return value;
  } catch {}
  throw notFromRegistry(response);
}

/** Rejects with an `AppRegistryConnectionError` if the work fails. */
export async function withConnectionError<T>({ baseUrl }: Connection, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const { message, cause: reason } = cause as Error & { cause?: Error & { code?: string } };
    throw new AppRegistryConnectionError(
      `${baseUrl} could not be reached, or the connection was lost: ${reason?.message || reason?.code || message}. Check the URL and the network. A change may have taken effect: read before you send it again.`,
      { cause },
    );
  }
}

async function headersOf({ token, headers }: Connection, call: Call): Promise<Headers> {
  const all = new Headers({ accept: 'application/json, application/problem+json', [clientField]: clientName });
  if (token !== null) {
    all.set('authorization', `Bearer ${checkToken(typeof token === 'function' ? await token() : token)}`);
  }
  for (const source of [call.headers, headers, call.options.headers]) {
    for (const [name, value] of entriesOf(source)) if (value !== undefined) all.set(name, value);
  }
  return all;
}

function entriesOf(headers: RequestHeaders = {}): Iterable<[string, string | undefined]> {
  return Symbol.iterator in headers ? headers : Object.entries(headers);
}

/** The error does not quote the token, as one of `Headers` would: messages are logged. */
function checkToken(token: unknown): string {
  const text = typeof token === 'string' ? token.trim() : '';
  if (/^[\x21-\x7e]+$/.test(text)) return text;
  throw new TypeError(
    'The token is empty or malformed. Check where it is read from, an environment variable for example.',
  );
}
