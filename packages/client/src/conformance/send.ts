import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import type { HttpResponse } from './http-response.ts';
import type { HttpRequest } from './interface-guarantee.ts';

const timeoutMs = 30_000;

/** Sends a request exactly as it is, even if it is malformed. Rejects if no response completes. */
export async function send(baseUrl: URL, request: HttpRequest): Promise<HttpResponse> {
  const message = await exchange(baseUrl, request);
  const bytes = await buffer(message);
  const isGzip = message.headers['content-encoding'] === 'gzip' && bytes.length > 0;
  return {
    status: message.statusCode ?? 0,
    headers: Object.fromEntries(Object.entries(message.headers).map(([name, value]) => [name, String(value)])),
    text: decoded(isGzip ? gunzipSync(bytes) : bytes),
  };
}

/** The header as sent, alternating names and values. */
function headerOf(baseUrl: URL, { method, headers, body }: HttpRequest): string[] {
  const length = { 'Content-Length': String(bytesOf(body).length) };
  const isFramed = 'Transfer-Encoding' in headers || (body === undefined && /^(?:GET|HEAD|OPTIONS)$/.test(method));
  return Object.entries({ Host: baseUrl.host, ...headers, ...(!isFramed && length) }).flatMap(([name, value]) =>
    (value === null ? [] : [value].flat()).flatMap((one) => [name, inLatin1(one)]),
  );
}

/** The bytes of the body, none if there is none. */
function bytesOf(body: HttpRequest['body'] = ''): Buffer {
  return typeof body === 'string' ? Buffer.from(body) : Buffer.from(body.hex, 'hex');
}

function exchange(baseUrl: URL, request: HttpRequest): Promise<IncomingMessage> {
  const start = baseUrl.protocol === 'https:' ? httpsRequest : httpRequest;
  const { hostname, port } = baseUrl;
  return new Promise((resolve, reject) => {
    const outgoing = start({
      hostname: hostname.replaceAll(/^\[|\]$/g, ''),
      port,
      method: request.method,
      path: baseUrl.pathname.replace(/\/$/, '') + request.path,
      headers: headerOf(baseUrl, request),
      agent: false,
      signal: AbortSignal.timeout(timeoutMs),
    });
    outgoing.on('response', resolve);
    // After the response: a server may refuse a request before it has read all of it.
    outgoing.on('error', reject);
    outgoing.end(bytesOf(request.body));
  });
}

/** Node writes headers in Latin-1, so these are the bytes of UTF-8. */
function inLatin1(text: string): string {
  return Buffer.from(text).toString('latin1');
}

function decoded(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
