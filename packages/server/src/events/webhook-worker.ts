import type { Logger } from 'pino';
import type { Registry } from '../registry/registry.ts';
import {
  type DueDelivery,
  type LeasedWebhook,
  listDueQueues,
  nextDelivery,
} from '../registry/webhooks/deliveries/next-delivery.ts';
import {
  type Attempt,
  type DeliveryResult,
  type Outcome,
  recordAttempt,
} from '../registry/webhooks/deliveries/record-attempt.ts';
import { AutoResetSignal } from './auto-reset-signal.ts';
import type { DeliveryMetrics } from './delivery-metrics.ts';
import type { Receiver } from './receiver.ts';
import type { RetryingDatabase } from './retrying-database.ts';

const queuesAtOnce = 100;
/** Polling takes at most a tenth of the time, however many queues wait for another attempt. */
const restFactor = 9;

export interface WorkerParts {
  registry: Registry;
  database: RetryingDatabase;
  receiver: Receiver;
  logger: Logger;
  metrics: DeliveryMetrics;
  retryMs: readonly number[];
  requestsAtOnceMax: number;
  pollMs: number;
}

/**
 * Delivers to one webhook while this process holds its lease: one delivery after another per queue, several queues at
 * the same time. New deliveries are notified; all others are found by polling.
 *
 * The order does not depend on the lease: a delivery is sent only once the database shows that all earlier ones in its
 * queue are delivered or given up. Two processes that serve the same webhook send some deliveries twice.
 */
export class WebhookWorker {
  /** Settles when it has stopped and no attempt is in progress. */
  readonly ended: Promise<void>;
  readonly #webhook: LeasedWebhook;
  readonly #parts: WorkerParts;
  readonly #underWay = new Map<string, Promise<void>>();
  /** Queues that may have due deliveries, in order of notification. Others are found by polling. */
  readonly #notified = new Set<string>();
  readonly #wakeUp = new AutoResetSignal();
  readonly #freed = new AutoResetSignal();
  readonly #aborted = new AbortController();
  #draining = false;
  /** Whether a queue waits for a free slot; then each queue gives up its slot after one delivery. */
  #crowded = false;
  /** When to poll next, by `performance.now()`. */
  #pollAt = 0;

  constructor(webhook: LeasedWebhook, parts: WorkerParts) {
    this.#webhook = webhook;
    this.#parts = parts;
    this.ended = this.#run();
  }

  /** A delivery was added to a queue. */
  notify(queue: string): void {
    if (this.#notified.size < queuesAtOnce) this.#notified.add(queue);
    else this.#pollAt = 0;
    this.#wakeUp.set();
  }

  /** Starts no more attempts. */
  drain(): void {
    this.#draining = true;
    this.#wakeUp.set();
  }

  /** Also aborts current attempts, as if they had never been made. */
  abort(): void {
    this.drain();
    this.#aborted.abort();
  }

  async #run(): Promise<void> {
    for (let after = ''; !this.#draining; ) {
      // Notifications that arrive meanwhile come after a poll: neither starves the other.
      for (const queue of [...this.#notified]) await this.#start(queue);
      const waitMs = this.#pollAt - performance.now();
      if (waitMs <= 0) after = await this.#poll(after);
      else await this.#wakeUp.wait(waitMs);
    }
    await Promise.all(this.#underWay.values());
    this.#parts.receiver.close();
  }

  /** Starts the due queues after one of them. Returns the queue after which to continue. */
  async #poll(after: string): Promise<string> {
    const { registry, database, pollMs, retryMs } = this.#parts;
    const beganAt = performance.now();
    const page = await database.run(() =>
      listDueQueues(registry, { ...this.#webhook, retryMs, after, limit: queuesAtOnce }),
    );
    // Disabled, deleted, or leased by another process.
    if (page === null) this.drain();
    if (!page) return after;
    const restMs = page.due.length === 0 ? (performance.now() - beganAt) * restFactor : 0;
    for (const queue of page.due) await this.#start(queue);
    const isLast = page.last === undefined;
    this.#pollAt = performance.now() + Math.max(restMs, isLast ? pollMs : 0);
    return page.last ?? '';
  }

  async #start(queue: string): Promise<void> {
    if (this.#underWay.has(queue)) return;
    while (this.#underWay.size >= this.#parts.requestsAtOnceMax) {
      this.#crowded = true;
      await this.#freed.wait();
    }
    this.#crowded = false;
    const work = this.#work(queue).finally(() => {
      this.#underWay.delete(queue);
      this.#freed.set();
      if (this.#notified.has(queue)) this.#wakeUp.set();
    });
    this.#underWay.set(queue, work);
  }

  /** Makes the due deliveries of a queue in order. Never rejects. */
  async #work(queue: string): Promise<void> {
    const { registry, database, retryMs } = this.#parts;
    while (!this.#draining) {
      this.#notified.delete(queue);
      const delivery = await database.run(() => nextDelivery(registry, { ...this.#webhook, retryMs, queue }));
      if (!delivery || !(await this.#deliver(delivery))) return;
      if (this.#crowded) return this.notify(queue);
    }
  }

  /** Makes one attempt. Returns whether it was recorded. */
  async #deliver(delivery: DueDelivery): Promise<boolean> {
    const { receiver, retryMs } = this.#parts;
    const result = await receiver.deliver(delivery, this.#aborted.signal);
    if (!result) return false;
    const outcome = await this.#record({ delivery, result, retryMs });
    if (outcome) this.#report(delivery, result, outcome);
    return Boolean(outcome);
  }

  /** Retries until the attempt is recorded, so that a lost database does not repeat the delivery. */
  async #record(attempt: Attempt): Promise<Outcome | null | undefined> {
    const { registry, database } = this.#parts;
    for (;;) {
      const outcome = await database.run(() => recordAttempt(registry, attempt));
      if (outcome !== undefined || this.#draining) return outcome;
    }
  }

  #report({ id, webhookId, event }: DueDelivery, { status, text }: DeliveryResult, outcome: Outcome): void {
    const { logger, metrics } = this.#parts;
    metrics.attempted(outcome.state);
    const about = { webhookId, deliveryId: id, eventId: event.id, status };
    const { state, failingChanged, disabledReason } = outcome;
    if (failingChanged && state === 'delivered') logger.info(about, 'webhook deliveries succeed again');
    if (failingChanged && state !== 'delivered') logger.warn({ ...about, response: text }, 'webhook delivery failed');
    if (state === 'given up') logger.warn(about, 'webhook delivery given up: last attempt failed');
    if (disabledReason) logger.warn({ webhookId, reason: disabledReason }, 'webhook disabled');
  }
}
