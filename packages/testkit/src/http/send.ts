import type { HttpRequest } from './http-request.ts';
import { HttpResponse } from './http-response.ts';

const timeoutMsMax = 60_000;

export interface SendOptions {
  /** 60 seconds by default. */
  timeoutMs?: number;
}

export interface ReceivedResponse<View = unknown> extends HttpResponse<View> {
  /** From sending the request to the end of the response. */
  readonly ms: number;
}

/**
 * Sends a request to an origin, such as `http://127.0.0.1:8080`. Follows no redirect. Rejects unless the complete
 * response arrives in time.
 */
export async function send<View = unknown>(
  origin: string,
  { method, path, headers = {}, body }: HttpRequest,
  { timeoutMs = timeoutMsMax }: SendOptions = {},
): Promise<ReceivedResponse<View>> {
  const startedAt = performance.now();
  const signal = AbortSignal.timeout(timeoutMs);
  const content = Buffer.isBuffer(body) ? new Uint8Array(body) : (body ?? null);
  const response = await fetch(`${origin}${path}`, { method, headers, body: content, redirect: 'manual', signal });
  const received = await readResponse<View>(response);
  return Object.assign(received, { ms: performance.now() - startedAt });
}

/** Like `send`, but null unless the complete response arrives in time. */
export async function trySend(
  origin: string,
  request: HttpRequest,
  options: SendOptions = {},
): Promise<ReceivedResponse | null> {
  return send(origin, request, options).catch(() => null);
}

/** Reads the body of a response of `fetch`. */
export async function readResponse<View>(response: Response): Promise<HttpResponse<View>> {
  const names = [...response.headers.keys()];
  // Several Set-Cookie fields become one value, as every other field does.
  const headers = Object.fromEntries(names.map((name) => [name, response.headers.get(name) ?? '']));
  return new HttpResponse<View>(response.status, headers, await response.text());
}
