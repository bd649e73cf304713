import { setTimeout as sleep } from 'node:timers/promises';
import { getAppRequest, type HttpRequest, updateAppRequest } from '@appregistrar/testkit/http/http-request';
import { trySend } from '@appregistrar/testkit/http/send';

/** Between two requests of a client. */
const restMs = 10;

interface TrafficParts {
  publicUrl: string;
  tokens: { developer: string; platform: string };
  /** Each has a client that updates it, and one that reads it. */
  apps: string[];
  /** The app that the reader reads beside its own, so that many rows are read. */
  anyApp: () => string;
}

export interface Longest {
  /** The longest read and the longest update, in milliseconds. */
  reads: number;
  updates: number;
  /** The number of both. */
  requests: number;
}

/** Clients that read and update without a pause, and record the duration of each response. */
export class ConstantTraffic {
  readonly #parts: TrafficParts;
  readonly #clients: Promise<void>[];
  #longest: Longest = { reads: 0, updates: 0, requests: 0 };
  readonly failures: string[] = [];
  #isStopped = false;

  constructor(parts: TrafficParts) {
    this.#parts = parts;
    this.#clients = parts.apps.flatMap((id) => [this.#read(id), this.#update(id)]);
  }

  /** The longest responses since the last call. */
  longest(): Longest {
    const longest = this.#longest;
    this.#longest = { reads: 0, updates: 0, requests: 0 };
    return longest;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#clients);
  }

  async #read(id: string): Promise<void> {
    const { tokens, anyApp } = this.#parts;
    for (let at = 0; !this.#isStopped; at += 1) {
      await this.#send('reads', getAppRequest(tokens.platform, at % 2 === 0 ? id : anyApp(), {}));
    }
  }

  async #update(id: string): Promise<void> {
    const { tokens } = this.#parts;
    for (let at = 0; !this.#isStopped; at += 1) {
      const update = { listingInfo: { shortDescription: `Update ${at}` } };
      await this.#send('updates', updateAppRequest(tokens.developer, { id, update, headers: {} }));
    }
  }

  async #send(kind: 'reads' | 'updates', request: HttpRequest): Promise<void> {
    const startedAt = performance.now();
    const response = await trySend(this.#parts.publicUrl, request);
    this.#longest.requests += 1;
    this.#longest[kind] = Math.max(this.#longest[kind], Math.round(performance.now() - startedAt));
    if (response?.status !== 200)
      this.failures.push(`${request.method} ${request.path}: ${response?.status} ${response?.text}`);
    await sleep(restMs);
  }
}
