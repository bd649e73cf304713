import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Registry } from '../registry/registry.ts';
import { AutoResetSignal } from './auto-reset-signal.ts';
import type { DeliveryMetrics } from './delivery-metrics.ts';
import type { Resolve } from './public-lookup.ts';
import { Receiver } from './receiver.ts';
import { RetryingDatabase } from './retrying-database.ts';
import { WebhookLeases } from './webhook-leases.ts';
import { WebhookWorker } from './webhook-worker.ts';

interface DeliverySettings {
  /** Whether deliveries also go to `http:` and to addresses that are not public. */
  allowPrivate: boolean;
  /** How long to wait after the first, the second … attempt that fails. */
  retryMs: readonly number[];
}

export interface DeliveryOptions extends DeliverySettings {
  logger: Logger;
  metrics: DeliveryMetrics;
  resolve?: Resolve;
  /** How often this process looks for what others have stored. */
  pollMs?: number;
  /** For how long it holds a webhook; it holds on in a third of that. */
  leaseMs?: number;
  timeoutMs?: number;
  /** Of one webhook. */
  requestsAtOnceMax?: number;
  /** How long an attempt may go on when the process ends. */
  graceMs?: number;
  userAgent?: string;
}

const defaults = {
  pollMs: 1_000,
  leaseMs: 15_000,
  timeoutMs: 20_000,
  requestsAtOnceMax: 10,
  graceMs: 3_000,
  userAgent: 'app-registry',
};

const releaseMsMax = 1_000;

/**
 * Delivers events to webhooks, each at least once and those of one app in their order, beside other processes that
 * do the same: a webhook is served by one of them at a time. Survives the loss of the database and never throws.
 */
export class Deliveries {
  readonly #registry: Registry;
  readonly #options: DeliveryOptions & typeof defaults;
  readonly #leases: WebhookLeases;
  readonly #workers = new Map<string, WebhookWorker>();
  readonly #ended = new AbortController();
  readonly #bell = new AutoResetSignal();
  readonly #database: RetryingDatabase;
  readonly #running: Promise<void>;
  /** Ends the work when the webhooks cannot be held on to. */
  #expiry: NodeJS.Timeout | undefined;

  constructor(registry: Registry, options: DeliveryOptions) {
    this.#registry = registry;
    this.#options = { ...defaults, ...options };
    const { logger, pollMs, leaseMs } = this.#options;
    this.#leases = new WebhookLeases(registry, leaseMs);
    this.#database = new RetryingDatabase({ logger, pauseMs: pollMs, ended: this.#ended.signal });
    this.#running = this.#run();
  }

  /** These were stored: what is due of them goes out at once. */
  notice(deliveries: { webhook_id: string; queue: string }[]): void {
    for (const { webhook_id, queue } of deliveries) this.#workers.get(webhook_id)?.notice(queue);
  }

  /** Lets what is under way finish for a moment, and lets other processes go on. */
  async stop(): Promise<void> {
    this.#ended.abort();
    this.#bell.ring();
    const workers = [...this.#workers.values()];
    for (const worker of workers) worker.end();
    const ended = Promise.all([this.#running, ...workers.map((worker) => worker.ended)]);
    await within(this.#options.graceMs, ended);
    clearTimeout(this.#expiry);
    this.#cutAll();
    await within(releaseMsMax, ended);
    await within(
      releaseMsMax,
      this.#leases.release().catch(() => {}),
    );
  }

  async #run(): Promise<void> {
    while (!this.#ended.signal.aborted) {
      const held = await this.#database.ask(() => this.#leases.hold());
      if (held && !this.#ended.signal.aborted) this.#serve(held);
      await this.#bell.wait(this.#options.pollMs);
    }
  }

  /** Works for these webhooks, and for no other one. */
  #serve(held: string[]): void {
    for (const [id, worker] of this.#workers) if (!held.includes(id)) worker.end();
    for (const id of held) if (!this.#workers.has(id)) this.#begin(id);
    if (held.length === 0) return;
    clearTimeout(this.#expiry);
    this.#expiry = setTimeout(() => this.#cutAll(), this.#leases.leftMs);
  }

  #begin(webhookId: string): void {
    const { timeoutMs, allowPrivate, requestsAtOnceMax, userAgent, resolve } = this.#options;
    const { now } = this.#registry;
    const receiving = { timeoutMs, allowPrivate, userAgent, now, connectionsMax: requestsAtOnceMax };
    const receiver = new Receiver({ ...receiving, ...(resolve && { resolve }) });
    const parts = { ...this.#options, registry: this.#registry, database: this.#database, receiver };
    const worker = new WebhookWorker({ webhookId, holder: this.#leases.holder }, parts);
    this.#workers.set(webhookId, worker);
    void worker.ended.then(() => this.#workers.delete(webhookId));
  }

  /** Other processes may serve the webhooks now. */
  #cutAll(): void {
    for (const worker of this.#workers.values()) worker.cut();
  }
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const timer = new AbortController();
  await Promise.race([work, sleep(ms, undefined, { signal: timer.signal }).catch(() => {})]);
  timer.abort();
}
