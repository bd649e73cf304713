import { Attempt } from './attempt.ts';
import { AppRegistryConnectionError, errorOf, notFromRegistry } from './errors.ts';
import type { Connection, RequestHeaders, RequestOptions } from './options.ts';
import { type AppRegistryResponse, describeResponse } from './response.ts';
import { withRetries } from './retry.ts';

const defaultTimeoutMs = 60_000;
const defaultMaxRetries = 2;

/** One request, however often it is tried. */
export interface Call {
  method: 'GET' | 'PATCH';
  /** As far as the id. */
  path: string;
  id: string;
  headers?: RequestHeaders;
  body?: string;
  options: RequestOptions;
}

/** Sends a request, and reads its answer, until one of the tries succeeds. A 304 is for the reader to tell. */
export async function send<T>(
  connection: Connection,
  call: Call,
  read: (response: Response, attempt: Attempt) => Promise<T>,
): Promise<T> {
  const { signal, timeoutMs = connection.timeoutMs, maxRetries = connection.maxRetries } = call.options;
  const url = addressOf(connection, call);
  return withRetries({ maxRetries: maxRetries ?? defaultMaxRetries, signal }, () => {
    const attempt = new Attempt(timeoutMs ?? defaultTimeoutMs, signal);
    return attempt.within(async (ended) => {
      const { method, body = null } = call;
      const headers = await headersOf(connection, call);
      const exchange = connection.fetch ?? fetch;
      const response = await online(connection, () =>
        // A token must not follow to another address.
        exchange(url, { method, headers, body, signal: ended, redirect: 'manual' }),
      );
      if (response.ok || response.status === 304) return read(response, attempt);
      throw errorOf(describeResponse(response), await readText(connection, response));
    });
  });
}

/** The whole body of an answer. */
export function readText(connection: Connection, response: Response): Promise<string> {
  return online(connection, () => response.text());
}

/** Judges nothing but that it is an object: a newer registry tells more. */
export function parseObject<T>(response: AppRegistryResponse, body: string): T {
  try {
    const value = JSON.parse(body);
    if (typeof value === 'object' && value) return value;
  } catch {}
  throw notFromRegistry(response);
}

/** What fails in here is the connection. */
export async function online<T>({ baseUrl }: Connection, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const { message, cause: reason } = cause as Error & { cause?: Error & { code?: string } };
    throw new AppRegistryConnectionError(
      `${baseUrl} could not be reached, or the connection was lost: ${reason?.message || reason?.code || message}. Check the address and the network. Before you send an update again, read the app: it may have taken effect.`,
      { cause },
    );
  }
}

function addressOf({ baseUrl }: Connection, { path, id }: Call): string {
  // A path with no name or with dots in this place would lead elsewhere.
  if (typeof id !== 'string' || /^\.*$/.test(id)) throw new TypeError('Give the id of an app: app_ and 26 characters.');
  return `${baseUrl}${path}${encodeURIComponent(id)}`;
}

async function headersOf({ token, headers }: Connection, call: Call): Promise<Headers> {
  const fields = new Headers({ accept: 'application/json, application/problem+json' });
  fields.set('authorization', `Bearer ${checkToken(typeof token === 'function' ? await token() : token)}`);
  for (const given of [call.headers, headers, call.options.headers]) {
    for (const [name, value] of Object.entries(given ?? {})) if (value !== undefined) fields.set(name, value);
  }
  return fields;
}

/** Never tells the token, as `Headers` would: messages are logged. */
function checkToken(token: unknown): string {
  const text = typeof token === 'string' ? token.trim() : '';
  if (/^[\x21-\x7e]+$/.test(text)) return text;
  throw new TypeError(
    'The token is empty or malformed. Check where it is read from, an environment variable for example.',
  );
}
