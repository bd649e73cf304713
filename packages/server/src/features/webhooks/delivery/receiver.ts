import { randomBytes } from 'node:crypto';
import dns from 'node:dns';
import { once } from 'node:events';
import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import type { Readable } from 'node:stream';
import { Webhook } from 'standardwebhooks';
import {
  type RecordedRequest,
  type RecordedResponse,
  requestHeaders,
  type Signed,
  signedHeaders,
} from '../deliveries/delivery-request.ts';
import type { DueRequest } from '../deliveries/next-requests.ts';
import type { DeliveryResult } from '../deliveries/record-attempts.ts';
import {
  checkedLookup,
  isPublicAddress,
  queryNameServers,
  type Resolve,
  rejectHiddenAddress,
} from '../public-address.ts';

export interface ReceiverOptions {
  /** Also allows `http:` URLs and non-public addresses. */
  allowPrivate: boolean;
  /** Connects to receivers and resolves their names in our place, so it decides which addresses they may have. */
  proxy?: URL | null;
  timeoutMs: number;
  /** Maximum number of open connections for each protocol, including idle ones. */
  connectionsMax: number;
  userAgent: string;
  now: () => number;
  resolve?: Resolve;
}

interface Sending {
  sentAt: number;
  signal: AbortSignal;
}

/** Sends the requests of all webhooks. Trusts neither the response nor the address that the host resolves to. */
export class Receiver {
  readonly #options: ReceiverOptions;
  readonly #connecting: RequestOptions;
  readonly #agents: { 'http:': http.Agent; 'https:': https.Agent };

  constructor(options: ReceiverOptions) {
    const { allowPrivate, connectionsMax, proxy } = options;
    // Private names may be known only to this machine.
    const { resolve = allowPrivate ? dns.lookup : queryNameServers() } = options;
    this.#options = options;
    this.#connecting = proxy ? {} : { lookup: checkedLookup(resolve, allowPrivate ? () => true : isPublicAddress) };
    const sockets = { maxTotalSockets: connectionsMax, maxFreeSockets: connectionsMax };
    const proxyEnv = proxy ? { HTTP_PROXY: proxy.href, HTTPS_PROXY: proxy.href } : undefined;
    const agentOptions = { keepAlive: true, timeout: options.timeoutMs, ...sockets, ...(proxyEnv && { proxyEnv }) };
    this.#agents = { 'http:': new http.Agent(agentOptions), 'https:': new https.Agent(agentOptions) };
  }

  /** Makes one attempt. Always resolves, within the timeout; to null if the signal aborted it. */
  async deliver(due: DueRequest, signal: AbortSignal): Promise<DeliveryResult | null> {
    const { timeoutMs, now, userAgent } = this.#options;
    const timeout = AbortSignal.timeout(timeoutMs);
    const sentAt = now();
    const beganAt = performance.now();
    const exchange = (response?: RecordedResponse): RecordedRequest => {
      const durationMs = Math.round(performance.now() - beganAt);
      return { sentAt, durationMs, url: withoutSecrets(due.url), userAgent, ...(response && { response }) };
    };
    try {
      const response = await this.#post(due, { sentAt, signal: AbortSignal.any([signal, timeout]) });
      const excerpt = await readExcerpt(response);
      const text = excerpt.start;
      return { ...resultOf(response, now()), text, exchange: exchange(recordedResponse(response, excerpt)) };
    } catch (error) {
      if (signal.aborted) return null;
      const text = timeout.aborted ? `No response within ${timeoutMs / 1_000} seconds.` : failureReason(error);
      return { kind: 'rejected', status: null, text, exchange: exchange() };
    }
  }

  /** Closes the idle connections. */
  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  async #post(due: DueRequest, sending: Sending): Promise<IncomingMessage> {
    for (;;) {
      const request = this.#send(due, sending);
      try {
        const [response] = await once(request, 'response', { signal: sending.signal });
        return response;
      } catch (error) {
        // The receiver may close an idle connection just as it is reused.
        if (!request.reusedSocket || !isReset(error)) throw error;
      }
    }
  }

  #send(due: DueRequest, { sentAt, signal }: Sending): ClientRequest {
    const url = new URL(due.url);
    const { allowPrivate, userAgent } = this.#options;
    if (!allowPrivate) rejectPrivate(url);
    const protocol = url.protocol === 'http:' ? 'http:' : 'https:';
    this.#makeRoom(this.#agents[protocol]);
    const headers = {
      ...requestHeaders(signRequest(due, sentAt), { body: due.body, userAgent }),
      ...traceOf(due),
    };
    const request = { 'http:': http, 'https:': https }[protocol].request(url, {
      ...this.#connecting,
      method: 'POST',
      agent: this.#agents[protocol],
      headers,
      signal,
    });
    // Errors may still occur once the response has started, when no caller awaits the request.
    request.on('error', () => {});
    return request.end(due.body);
  }

  /** Closes an idle connection if there are as many as allowed: the agent itself would wait for one to end. */
  #makeRoom({ sockets, freeSockets }: http.Agent): void {
    const [busy, idle] = [sockets, freeSockets].map((byHost) => Object.values(byHost).flatMap((open = []) => open));
    if ((busy?.length ?? 0) + (idle?.length ?? 0) >= this.#options.connectionsMax) idle?.[0]?.destroy();
  }
}

function rejectPrivate(url: URL): void {
  if (url.protocol !== 'https:') {
    throw new Error('The address must start with https://. To allow http://, set WEBHOOK_ALLOW_PRIVATE=1.');
  }
  rejectHiddenAddress(url);
}

/** 2xx succeeds, 410 is final, and everything else, including redirects, is worth another attempt. */
function resultOf(response: IncomingMessage, now: number): Omit<DeliveryResult, 'text' | 'exchange'> {
  const status = response.statusCode ?? 0;
  if (status >= 200 && status <= 299) return { kind: 'accepted', status };
  if (status === 410) return { kind: 'gone', status };
  const mayDelay = status === 429 || status === 503;
  return { kind: 'rejected', status, retryAfterMs: mayDelay ? retryAfterMs(response, now) : 0 };
}

/** RFC 9110, 10.2.3: seconds, or a date, which is compared with the clock of the receiver if it sends its time. */
function retryAfterMs({ headers }: IncomingMessage, now: number): number {
  const value = headers['retry-after'] ?? '';
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
  const sentAt = Date.parse(headers.date ?? '') || now;
  return Math.max(0, (Date.parse(value) || sentAt) - sentAt);
}

function isReset(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ['ECONNRESET', 'EPIPE'].includes(String(error.code));
}

function failureReason(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return failureReason(error.errors[0]);
  if (!(error instanceof Error)) return plainText(String(error));
  // Its message may name the proxy.
  if ('code' in error && error.code === 'ERR_PROXY_TUNNEL') return proxyReason(error);
  return 'code' in error ? `The connection failed: ${error.code}.` : plainText(error.message);
}

function proxyReason(error: Error): string {
  const status = 'statusCode' in error && error.statusCode ? ` (status ${error.statusCode})` : '';
  return `The proxy does not connect to this address${status}.`;
}

const headerCharactersMax = 2_048;
/** Headers whose values may give access to the receiver. */
const secretName = /auth|cookie|credential|key|password|secret|session|signature|token/i;

/** The part of a response that is stored besides its status and the start of its text: its first headers. */
function recordedResponse({ rawHeaders }: IncomingMessage, { rest, isBinary, isCut }: Excerpt): RecordedResponse {
  const headers: RecordedResponse['headers'] = [];
  let characters = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', text = ''] = rawHeaders.slice(at, at + 2);
    const value = secretName.test(name) ? '(not stored)' : plainText(text);
    characters += name.length + value.length;
    if (characters > headerCharactersMax) return { headers, rest, isBinary, isCut: true };
    headers.push([name.toLowerCase(), value]);
  }
  return { headers, rest, isBinary, isCut };
}

/** A URL without the parts that are most often secret: credentials, query and fragment. Empty if it is not a URL. */
function withoutSecrets(address: string): string {
  const url = URL.parse(address);
  return url ? url.origin + url.pathname : '';
}

const startBytesMax = 1_024;
const bytesMax = 4_096;

/** The first part of a response as text. */
interface Excerpt {
  /** Its first KiB. */
  start: string;
  /** What follows, up to 4 KiB in total; empty if it is not text. */
  rest: string;
  /** Whether it is not UTF-8 text. */
  isBinary: boolean;
  /** Whether more follows. */
  isCut: boolean;
}

/** Reads at most that much of a response, and returns what arrived if it breaks off. */
export async function readExcerpt(response: Readable): Promise<Excerpt> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response) {
      chunks.push(chunk);
      bytes += chunk.length;
      // Leaving the loop closes the connection.
      if (bytes > bytesMax) break;
    }
  } catch {
    // The status alone decides the outcome of the delivery.
  }
  const body = Buffer.concat(chunks);
  const start = shownText(body, startBytesMax);
  const isBinary = !isText(body.subarray(0, bytesMax));
  const rest = isBinary ? '' : shownText(body, bytesMax).slice(start.length);
  return { start, rest, isBinary, isCut: bytes > bytesMax };
}

/** Replaces control characters that a terminal or page might interpret, and characters that a database rejects. */
function plainText(text: string): string {
  return text.replace(/[^\P{C}\n\t]|[\u2028\u2029]/gu, '\ufffd');
}

/** A character split at the end is omitted. */
function shownText(body: Buffer, max: number): string {
  return plainText(new TextDecoder().decode(body.subarray(0, max), { stream: body.length > max }));
}

function isText(body: Buffer): boolean {
  if (body.includes(0)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(body, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/**
 * The header that continues the trace of the change (W3C Trace Context, 3.4): each attempt has its own span.
 * `tracestate` is not sent: receivers are other systems, and it may hold data meant for one tracing system only (7.1).
 */
function traceOf({ traceparent }: Pick<DueRequest, 'traceparent'>): { traceparent?: string } {
  if (traceparent === undefined) return {};
  const [version, traceId, , flags] = traceparent.split('-');
  return { traceparent: [version, traceId, randomBytes(8).toString('hex'), flags].join('-') };
}

/** The headers that sign a body at a time with each of the secrets, per the Standard Webhooks specification. */
export function signRequest({ id, body, secrets }: Pick<DueRequest, 'id' | 'body' | 'secrets'>, at: number): Signed {
  const signatures = secrets.map((secret) => new Webhook(secret).sign(id, new Date(at), body));
  return signedHeaders({ id, at, signature: signatures.join(' ') });
}
