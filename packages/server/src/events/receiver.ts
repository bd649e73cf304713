import dns from 'node:dns';
import { once } from 'node:events';
import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import type { DueDelivery } from '../registry/webhooks/deliveries/next-delivery.ts';
import type { Answer } from '../registry/webhooks/deliveries/record-attempt.ts';
import { excerptOf, plainText } from './excerpt.ts';
import { publicLookup, type Resolve, refuseHiddenAddress } from './public-lookup.ts';
import { queryNameServers } from './query-name-servers.ts';
import { sign } from './sign.ts';

export interface ReceiverOptions {
  /** Also `http:`, and addresses that are not public. */
  allowPrivate: boolean;
  timeoutMs: number;
  /** How many connections are kept for the next delivery. */
  connectionsMax: number;
  userAgent: string;
  now: () => number;
  resolve?: Resolve;
}

/** Where the deliveries of a webhook go. It is not trusted: not what it answers, nor where its name leads. */
export class Receiver {
  readonly #options: ReceiverOptions;
  readonly #connecting: RequestOptions;
  readonly #agents: { 'http:': http.Agent; 'https:': https.Agent };

  constructor(options: ReceiverOptions) {
    const { allowPrivate, connectionsMax } = options;
    // Private names may be known to this machine alone.
    const { resolve = allowPrivate ? dns.lookup : queryNameServers() } = options;
    this.#options = options;
    this.#connecting = { lookup: allowPrivate ? (resolve as LookupFunction) : publicLookup(resolve) };
    const kept = { keepAlive: true, maxFreeSockets: connectionsMax, timeout: options.timeoutMs };
    this.#agents = { 'http:': new http.Agent(kept), 'https:': new https.Agent(kept) };
  }

  /** Makes one attempt. Resolves whatever happens, within the timeout; to null when it was ended by the signal. */
  async deliver(delivery: DueDelivery, signal: AbortSignal): Promise<Answer | null> {
    const timeout = AbortSignal.timeout(this.#options.timeoutMs);
    try {
      const response = await this.#post(delivery, AbortSignal.any([signal, timeout]));
      return await answerOf(response, this.#options.now());
    } catch (error) {
      if (signal.aborted) return null;
      const late = `There was no answer within ${this.#options.timeoutMs / 1_000} seconds.`;
      return { result: 'refused', status: null, text: timeout.aborted ? late : reasonOf(error) };
    }
  }

  /** Closes the connections that are kept. */
  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  async #post(delivery: DueDelivery, signal: AbortSignal): Promise<IncomingMessage> {
    for (;;) {
      const request = this.#send(delivery, signal);
      try {
        const [response] = await once(request, 'response', { signal });
        return response;
      } catch (error) {
        // The receiver may close a connection that was kept at the moment that it is used again.
        if (!request.reusedSocket || !isReset(error)) throw error;
      }
    }
  }

  #send(delivery: DueDelivery, signal: AbortSignal): ClientRequest {
    const url = new URL(delivery.url);
    const { allowPrivate, userAgent, now } = this.#options;
    if (!allowPrivate) refusePrivate(url);
    const { headers, body } = sign(delivery, now());
    const protocol = url.protocol === 'http:' ? 'http:' : 'https:';
    const request = { 'http:': http, 'https:': https }[protocol].request(url, {
      ...this.#connecting,
      method: 'POST',
      agent: this.#agents[protocol],
      headers: { ...headers, 'user-agent': userAgent, 'content-length': Buffer.byteLength(body) },
      signal,
    });
    // Also after its answer has begun, when nobody waits for the request itself any more.
    request.on('error', () => {});
    return request.end(body);
  }
}

function refusePrivate(url: URL): void {
  if (url.protocol !== 'https:') {
    throw new Error('The address does not begin with https:. To deliver there set WEBHOOK_ALLOW_PRIVATE=1.');
  }
  refuseHiddenAddress(url);
}

/** 2xx is success, and 410 the end; all else, redirects too, is worth another attempt. */
async function answerOf(response: IncomingMessage, now: number): Promise<Answer> {
  const status = response.statusCode ?? 0;
  const text = await excerptOf(response);
  if (status >= 200 && status <= 299) return { result: 'taken', status, text };
  if (status === 410) return { result: 'gone', status, text };
  const heeded = status === 429 || status === 503;
  return { result: 'refused', status, text, retryAfterMs: heeded ? retryAfterMs(response, now) : 0 };
}

/** RFC 9110, 10.2.3: seconds, or a date. */
function retryAfterMs({ headers }: IncomingMessage, now: number): number {
  const value = headers['retry-after'] ?? '';
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
  return Math.max(0, (Date.parse(value) || now) - now);
}

function isReset(error: unknown): boolean {
  return ['ECONNRESET', 'EPIPE'].includes(String((error as NodeJS.ErrnoException).code));
}

function reasonOf(error: unknown): string {
  const { code, message } = (error instanceof AggregateError ? error.errors[0] : error) as NodeJS.ErrnoException;
  return code === undefined ? plainText(message) : `The connection failed: ${code}.`;
}
