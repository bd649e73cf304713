import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { AutoResetSignal } from '../../../kernel/auto-reset-signal.ts';
import type { Registry } from '../../../kernel/registry.ts';
import type { Resolve } from '../public-address.ts';
import type { DeliveryMetrics } from './delivery-metrics.ts';
import { Receiver } from './receiver.ts';
import { RetryingDatabase } from './retrying-database.ts';
import { WebhookLeases } from './webhook-leases.ts';
import { AttemptRecorder, RequestCapacity, WebhookWorker, type WorkerParts } from './webhook-worker.ts';

export interface DeliveryOptions {
  logger: Logger;
  metrics: DeliveryMetrics;
  /** Whether to deliver to `http:` URLs and non-public addresses too. */
  allowPrivate: boolean;
  /** The proxy that connects to receivers. */
  proxy?: URL | null;
  /** The pauses after the first, second and further failed attempts. */
  retryMs: readonly number[];
  resolve?: Resolve;
  /** How often to check for deliveries stored by other processes. */
  pollMs?: number;
  /** Duration of a webhook's lease, which is renewed after a third of it. */
  leaseMs?: number;
  timeoutMs?: number;
  /** Maximum number of open connections to receivers, and thereby of requests in progress for all webhooks. */
  connectionsMax?: number;
  /** How long an attempt may continue during shutdown. */
  graceMs?: number;
  userAgent?: string;
}

const defaults = {
  pollMs: 1_000,
  leaseMs: 15_000,
  timeoutMs: 20_000,
  connectionsMax: 256,
  graceMs: 3_000,
  userAgent: 'app-registry',
};

const releaseMsMax = 1_000;
/** Memory for the bodies of all requests in progress, plus one request for each webhook. */
const bytesMax = 64 * 1_048_576;

/**
 * Delivers events to webhooks, each at least once and those of one app in order. Other processes may do the same: they
 * share the apps of each webhook. Survives the loss of the database and never throws.
 */
export class Deliveries {
  readonly #options: DeliveryOptions & typeof defaults;
  readonly #leases: WebhookLeases;
  readonly #workers = new Map<string, WebhookWorker>();
  readonly #ended = new AbortController();
  readonly #wakeUp = new AutoResetSignal();
  readonly #database: RetryingDatabase;
  readonly #receiver: Receiver;
  readonly #workerParts: WorkerParts;
  readonly #running: Promise<void>;
  #reportedWithoutKey: readonly string[] = [];
  /** Aborts all attempts when the leases cannot be renewed. */
  #expiry: NodeJS.Timeout | undefined;

  constructor(registry: Registry, options: DeliveryOptions) {
    this.#options = { ...defaults, ...options };
    const { logger, pollMs, leaseMs } = this.#options;
    this.#leases = new WebhookLeases(registry, leaseMs);
    const ended = this.#ended.signal;
    this.#database = new RetryingDatabase({ logger, pauseMs: pollMs, ended });
    this.#receiver = new Receiver({ ...this.#options, now: registry.now });
    this.#workerParts = {
      ...this.#options,
      registry,
      database: this.#database,
      receiver: this.#receiver,
      recorder: new AttemptRecorder(registry, { database: this.#database, ended }),
      capacity: new RequestCapacity({ requestsMax: this.#options.connectionsMax, bytesMax }),
    };
    this.#running = this.#run();
  }

  /** Delivers newly stored deliveries at once. */
  notify(deliveries: { webhook_id: string; queue: string }[]): void {
    for (const { webhook_id, queue } of deliveries) this.#workers.get(webhook_id)?.notify(queue);
  }

  /** Gives current attempts a moment to finish, then releases the leases to other processes. */
  async stop(): Promise<void> {
    this.#ended.abort();
    this.#wakeUp.set();
    const workers = [...this.#workers.values()];
    for (const worker of workers) worker.drain();
    const ended = Promise.all([this.#running, ...workers.map((worker) => worker.ended)]);
    await within(this.#options.graceMs, ended);
    clearTimeout(this.#expiry);
    this.#abortAll();
    await within(releaseMsMax, ended);
    this.#receiver.close();
    await within(
      releaseMsMax,
      this.#leases.release().catch(() => {}),
    );
  }

  async #run(): Promise<void> {
    while (!this.#ended.signal.aborted) {
      const served = await this.#database.run(() =>
        this.#leases.renew((webhookId, shard) => this.#workers.get(webhookId)?.isIdle(shard) ?? true),
      );
      if (served && !this.#ended.signal.aborted) this.#serve(served);
      this.#reportWithoutKey(this.#leases.withoutKey);
      await this.#wakeUp.wait(this.#options.pollMs);
    }
  }

  /** Logs each webhook once. */
  #reportWithoutKey(webhookIds: readonly string[]): void {
    const isReported = webhookIds.every((id) => this.#reportedWithoutKey.includes(id));
    this.#reportedWithoutKey = webhookIds;
    if (isReported) return;
    this.#options.logger.error(
      { webhookIds },
      'webhooks skipped by this process: SECRETS_KEY lacks the key that encrypted their secrets',
    );
  }

  /** Serves exactly these shards. */
  #serve(served: Map<string, Set<number>>): void {
    for (const [id, worker] of this.#workers) if (!served.has(id)) worker.drain();
    for (const [id, shards] of served) {
      const worker = this.#workers.get(id);
      if (worker) worker.serve(shards);
      else this.#start(id, shards);
    }
    if (served.size === 0) return;
    clearTimeout(this.#expiry);
    this.#expiry = setTimeout(() => this.#abortAll(), this.#leases.leftMs);
  }

  #start(webhookId: string, shards: Set<number>): void {
    const { holder } = this.#leases;
    const worker = new WebhookWorker({ webhookId, holder }, shards, this.#workerParts);
    this.#workers.set(webhookId, worker);
    void worker.ended.then(() => this.#workers.delete(webhookId));
  }

  /** Other processes may serve these webhooks from now on. */
  #abortAll(): void {
    for (const worker of this.#workers.values()) worker.abort();
  }
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const timer = new AbortController();
  await Promise.race([work, sleep(ms, undefined, { signal: timer.signal }).catch(() => {})]);
  timer.abort();
}
