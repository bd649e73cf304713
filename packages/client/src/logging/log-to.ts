import type { AppRegistryError } from '../client/errors.ts';
import type { ClientSettings, ReceivedResponse, SentRequest } from '../client/options.ts';

/**
 * Where lines go: the console, or a logger with the same methods (pino, winston).
 *
 * @example
 * const lines: string[] = [];
 * const write = (line: string) => void lines.push(line);
 * const target: LogTarget = { debug: write, warn: write, error: write };
 * const client = new AppRegistryClient({ token, baseUrl: 'https://apps.example.com', ...logTo(target) });
 */
export interface LogTarget {
  /** Each request and response. */
  debug(line: string): unknown;
  /** Each retry. */
  warn(line: string): unknown;
  /** Each request that finally fails. */
  error(line: string): unknown;
}

/**
 * The hooks that write the log.
 *
 * @example
 * const { onRetry }: LogHooks = logTo(console);
 * const client = new AppRegistryClient({ token, baseUrl: 'https://apps.example.com', onRetry });
 */
export type LogHooks = Required<{
  [Hook in 'onRequest' | 'onResponse' | 'onRetry' | 'onError']: NonNullable<ClientSettings[Hook]>;
}>;

/**
 * The hooks of a client that write a line for each request and response (level `debug`), each retry (`warn`), and each
 * request that finally fails (`error`). A line contains the method, the path, the status, the problem code, the request id
 * and the name of an error. It never contains a token, a header, a body, a query or the message of an error, which may quote
 * what was sent.
 *
 * @example
 * const client = new AppRegistryClient({ token, baseUrl: 'https://apps.example.com', ...logTo(console) });
 */
export function logTo(target: LogTarget): LogHooks {
  return {
    onRequest: (request) => target.debug(lineOf(request)),
    onResponse: (received) => target.debug(`${lineOf(received)} ${outcomeOf(received)}`),
    onRetry: ({ error, retry, delayMs }) =>
      target.warn(`retry ${retry} in ${Math.round(delayMs)} ms after ${describe(error)}`),
    onError: (error) => target.error(`failed with ${describe(error)}`),
  };
}

function lineOf({ method, url }: SentRequest): string {
  // Neither user info nor a query: they may hold secrets.
  return `${method} ${new URL(url).pathname}`;
}

function outcomeOf({ response: { status, requestId } }: ReceivedResponse): string {
  return requestId ? `${status} (request ${requestId})` : `${status}`;
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'a reason of the caller';
  const { name, statusCode, code, requestId } = error as Partial<AppRegistryError> & Error;
  const details = [statusCode, code, requestId && `request ${requestId}`].filter((detail) => detail !== undefined);
  return details.length > 0 ? `${name} (${details.join(', ')})` : name;
}
