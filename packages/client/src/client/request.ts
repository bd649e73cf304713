import type { WithResponse } from './api-promise.ts';
import { Attempt } from './attempt.ts';
import { AppRegistryConnectionError, errorOf } from './errors.ts';
import type { Connection, Method, RequestHeaders, RequestOptions } from './options.ts';
import { parseJson } from './parse-json.ts';
import { describeResponse } from './response.ts';
import { withRetries } from './retry.ts';
import { VERSION } from './version.ts';
import type { ClientFetch } from './web-types.ts';

const clientName = `app-registry-client/${VERSION}`;
const defaultTimeoutMs = 60_000;

/** One request, independent of the number of attempts. */
export interface Call {
  method: Method;
  /** With its query. */
  path: string;
  headers?: RequestHeaders | undefined;
  body?: string | FormData | undefined;
  /** How long the registry may wait before it responds, in addition to the timeout. */
  waitMs?: number | undefined;
  options: RequestOptions;
}

/** Reads the body of a successful response, or a 304. */
export type ReadResponse<Data> = (connection: Connection, received: Response, attempt: Attempt) => Promise<Data>;

/** Sends a request and reads the response, with retries. */
export async function send<Data>(
  connection: Connection,
  call: Call,
  read: ReadResponse<Data>,
): Promise<WithResponse<Data>> {
  const { method, body, waitMs = 0, options } = call;
  // An empty merge patch changes nothing.
  const isRead = method === 'GET' || (method === 'PATCH' && body === '{}');
  const timeoutMs = options.timeoutMs ?? connection.timeoutMs ?? defaultTimeoutMs;
  return withRetries(connection, { ...options, isRead }, () => {
    const attempt = new Attempt(timeoutMs && timeoutMs + waitMs, options.signal);
    return attempt.within(async (ended) => {
      let received = await exchange(connection, call, ended);
      if (received.status === 401 && typeof connection.token === 'function') {
        // The token may have expired since the function returned it.
        await readText(connection, received);
        received = await exchange(connection, call, ended);
      }
      const response = describeResponse(received);
      if (received.ok || received.status === 304) return { data: await read(connection, received, attempt), response };
      throw errorOf(response, await readText(connection, received));
    });
  }).catch((error) => {
    connection.onError?.(error);
    throw error;
  });
}

/** Sends a request once. */
async function exchange(connection: Connection, call: Call, signal: AbortSignal): Promise<Response> {
  const { method, path, body = null } = call;
  // Without the slash it would extend the host name, and another host would get the token.
  const url = connection.baseUrl + path.replace(/^\/?/, '/');
  const headers = Object.fromEntries(await headersOf(connection, call));
  const fetchOnce: ClientFetch = connection.fetch ?? fetch;
  connection.onRequest?.({ method, url });
  const response = await withConnectionError(connection, () =>
    // A token must not follow a redirect.
    fetchOnce(url, { method, headers, body, signal, redirect: 'manual' }),
  );
  // Only what every implementation has is used.
  const received = response as Response;
  connection.onResponse?.({ method, url, response: describeResponse(received) });
  return received;
}

/** The JSON object in a response; undefined without content. Fields are not checked: a newer registry may send more. */
export async function readObject<Data>(connection: Connection, received: Response): Promise<Data> {
  if (received.status === 204) return undefined as Data;
  const data = parseJson(await readText(connection, received));
  if (typeof data === 'object' && data) return data as Data;
  throw errorOf(describeResponse(received));
}

function readText(connection: Connection, response: Response): Promise<string> {
  return withConnectionError(connection, () => response.text());
}

/** Rejects with an `AppRegistryConnectionError` if the work fails. */
export async function withConnectionError<T>({ baseUrl }: Connection, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const { message, cause: reason } = cause as Error & { cause?: Error & { code?: string } };
    throw new AppRegistryConnectionError(
      `${baseUrl} could not be reached, or the connection was lost: ${reason?.message || reason?.code || message}. Check the URL and the network.`,
      undefined,
      undefined,
      { cause },
    );
  }
}

async function headersOf({ token, headers }: Connection, call: Call): Promise<Headers> {
  const all = new Headers({ accept: 'application/json, application/problem+json', [clientField()]: clientName });
  if (token !== null) {
    all.set('authorization', `Bearer ${checkToken(typeof token === 'function' ? await token() : token)}`);
  }
  for (const source of [call.headers, headers, call.options.headers]) {
    const given = source && Symbol.iterator in source ? source : Object.entries(source ?? {});
    for (const [name, value] of given) if (value !== undefined) all.set(name, value);
  }
  const condition = all.get('if-match');
  if (condition !== null && !/^(?:GET|HEAD)$/.test(call.method)) all.set('if-match', tagsOfRegistry(condition));
  return all;
}

/**
 * The tags as the registry made them: a proxy that compresses a response makes its tag weak (nginx), or appends the coding
 * (Apache), and no such tag matches. Only Get App has a tag for each coding.
 */
function tagsOfRegistry(field: string): string {
  return field.replaceAll(/(?:W\/)?"([^"]*?)(?:-(?:gzip|br|zstd|deflate))?"/g, '"$1"');
}

/**
 * Chromium ignores a `User-Agent` that a page or its worker sets, other browsers ask the registry for permission. Only
 * browsers, with their workers, name themselves after Mozilla.
 */
function clientField(): string {
  return /^Mozilla\//.test(globalThis.navigator?.userAgent) ? 'x-app-registry-client' : 'user-agent';
}

/** The error does not quote the token, as one of `Headers` would: messages are logged. */
function checkToken(token: unknown): string {
  const text = typeof token === 'string' ? token.trim() : '';
  if (/^[\x21-\x7e]+$/.test(text)) return text;
  throw new TypeError(
    'The token is empty or malformed. Check where it is read from, an environment variable for example.',
  );
}
