import dns from 'node:dns';
import { once } from 'node:events';
import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import type { DueDelivery } from '../registry/webhooks/deliveries/next-delivery.ts';
import type { DeliveryResult } from '../registry/webhooks/deliveries/record-attempt.ts';
import { isPublicAddress } from '../registry/webhooks/public-address.ts';
import { excerptOf, plainText } from './excerpt.ts';
import { checkedLookup, type Resolve, rejectHiddenAddress } from './public-lookup.ts';
import { queryNameServers } from './query-name-servers.ts';
import { sign } from './sign.ts';

export interface ReceiverOptions {
  /** Also allows `http:` URLs and non-public addresses. */
  allowPrivate: boolean;
  timeoutMs: number;
  /** Number of idle connections to keep for later deliveries. */
  connectionsMax: number;
  userAgent: string;
  now: () => number;
  resolve?: Resolve;
}

/** Sends the deliveries of a webhook. Trusts neither the response nor the address that the host resolves to. */
export class Receiver {
  readonly #options: ReceiverOptions;
  readonly #connecting: RequestOptions;
  readonly #agents: { 'http:': http.Agent; 'https:': https.Agent };

  constructor(options: ReceiverOptions) {
    const { allowPrivate, connectionsMax } = options;
    // Private names may be known only to this machine.
    const { resolve = allowPrivate ? dns.lookup : queryNameServers() } = options;
    this.#options = options;
    this.#connecting = { lookup: checkedLookup(resolve, allowPrivate ? () => true : isPublicAddress) };
    const agentOptions = { keepAlive: true, maxFreeSockets: connectionsMax, timeout: options.timeoutMs };
    this.#agents = { 'http:': new http.Agent(agentOptions), 'https:': new https.Agent(agentOptions) };
  }

  /** Makes one attempt. Always resolves, within the timeout; to null if the signal aborted it. */
  async deliver(delivery: DueDelivery, signal: AbortSignal): Promise<DeliveryResult | null> {
    const timeout = AbortSignal.timeout(this.#options.timeoutMs);
    try {
      const response = await this.#post(delivery, AbortSignal.any([signal, timeout]));
      return await resultOf(response, this.#options.now());
    } catch (error) {
      if (signal.aborted) return null;
      const late = `No response within ${this.#options.timeoutMs / 1_000} seconds.`;
      return { kind: 'rejected', status: null, text: timeout.aborted ? late : reasonOf(error) };
    }
  }

  /** Closes the idle connections. */
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
        // The receiver may close an idle connection just as it is reused.
        if (!request.reusedSocket || !isReset(error)) throw error;
      }
    }
  }

  #send(delivery: DueDelivery, signal: AbortSignal): ClientRequest {
    const url = new URL(delivery.url);
    const { allowPrivate, userAgent, now } = this.#options;
    if (!allowPrivate) rejectPrivate(url);
    const { headers, body } = sign(delivery, now());
    const protocol = url.protocol === 'http:' ? 'http:' : 'https:';
    const request = { 'http:': http, 'https:': https }[protocol].request(url, {
      ...this.#connecting,
      method: 'POST',
      agent: this.#agents[protocol],
      headers: { ...headers, 'user-agent': userAgent, 'content-length': Buffer.byteLength(body) },
      signal,
    });
    // Errors may still occur once the response has started, when no caller awaits the request.
    request.on('error', () => {});
    return request.end(body);
  }
}

function rejectPrivate(url: URL): void {
  if (url.protocol !== 'https:') {
    throw new Error('The address must start with https://. To allow http://, set WEBHOOK_ALLOW_PRIVATE=1.');
  }
  rejectHiddenAddress(url);
}

/** 2xx succeeds, 410 is final, and everything else, including redirects, is worth another attempt. */
async function resultOf(response: IncomingMessage, now: number): Promise<DeliveryResult> {
  const status = response.statusCode ?? 0;
  const text = await excerptOf(response);
  if (status >= 200 && status <= 299) return { kind: 'accepted', status, text };
  if (status === 410) return { kind: 'gone', status, text };
  const mayDelay = status === 429 || status === 503;
  return { kind: 'rejected', status, text, retryAfterMs: mayDelay ? retryAfterMs(response, now) : 0 };
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

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  if (!(error instanceof Error)) return plainText(String(error));
  return 'code' in error ? `The connection failed: ${error.code}.` : plainText(error.message);
}
