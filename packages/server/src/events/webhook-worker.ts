import type { Logger } from 'pino';
import type { Registry } from '../registry/registry.ts';
import {
  type DueDelivery,
  type HeldWebhook,
  listDueQueues,
  nextDelivery,
} from '../registry/webhooks/deliveries/next-delivery.ts';
import {
  type Answer,
  type Attempt,
  type Outcome,
  recordAttempt,
} from '../registry/webhooks/deliveries/record-attempt.ts';
import { AutoResetSignal } from './auto-reset-signal.ts';
import type { DeliveryMetrics } from './delivery-metrics.ts';
import type { Receiver } from './receiver.ts';
import type { RetryingDatabase } from './retrying-database.ts';

const queuesAtOnce = 100;
/** Looking for what is due takes a tenth of the time at most, however many queues wait for another attempt. */
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
 * Delivers to one webhook while this process holds it: of each queue one delivery after another, of several
 * queues at the same time. It learns of new deliveries when it is told, and of all others by looking.
 *
 * The order does not rest on the lease: a delivery is sent only when the database tells that all before it in its
 * queue are delivered or given up. Two processes that both work for a webhook send some deliveries twice.
 */
export class WebhookWorker {
  /** Settles when it has ended, and nothing is under way. */
  readonly ended: Promise<void>;
  readonly #webhook: HeldWebhook;
  readonly #parts: WorkerParts;
  readonly #underWay = new Map<string, Promise<void>>();
  /** Queues that may have something to deliver, in their turn. More than these are found by looking. */
  readonly #noticed = new Set<string>();
  readonly #bell = new AutoResetSignal();
  readonly #freed = new AutoResetSignal();
  readonly #cut = new AbortController();
  #ending = false;
  /** Whether a queue waits for others; then those give way after each delivery. */
  #crowded = false;
  /** When to look, by the clock of `performance`. */
  #lookAt = 0;

  constructor(webhook: HeldWebhook, parts: WorkerParts) {
    this.#webhook = webhook;
    this.#parts = parts;
    this.ended = this.#run();
  }

  /** Something was stored in a queue. */
  notice(queue: string): void {
    if (this.#noticed.size < queuesAtOnce) this.#noticed.add(queue);
    else this.#lookAt = 0;
    this.#bell.ring();
  }

  /** Begins nothing more. */
  end(): void {
    this.#ending = true;
    this.#bell.ring();
  }

  /** Ends what is under way too, as if it had not been tried. */
  cut(): void {
    this.end();
    this.#cut.abort();
  }

  async #run(): Promise<void> {
    for (let after = ''; !this.#ending; ) {
      // Those that are told meanwhile come after a look: neither starves the other.
      for (const queue of [...this.#noticed]) await this.#begin(queue);
      const waitMs = this.#lookAt - performance.now();
      if (waitMs <= 0) after = await this.#look(after);
      else await this.#bell.wait(waitMs);
    }
    await Promise.all(this.#underWay.values());
    this.#parts.receiver.close();
  }

  /** Begins the queues after one of them that are due. Answers after which one to go on. */
  async #look(after: string): Promise<string> {
    const { registry, database, pollMs } = this.#parts;
    const beganAt = performance.now();
    const asked = { ...this.#webhook, after, limit: queuesAtOnce };
    const page = await database.ask(() => listDueQueues(registry, asked));
    // Disabled, deleted, or held by another process.
    if (page === null) this.end();
    if (!page) return after;
    const restMs = page.due.length === 0 ? (performance.now() - beganAt) * restFactor : 0;
    for (const queue of page.due) await this.#begin(queue);
    const isLast = page.last === undefined;
    this.#lookAt = performance.now() + Math.max(restMs, isLast ? pollMs : 0);
    return page.last ?? '';
  }

  async #begin(queue: string): Promise<void> {
    if (this.#underWay.has(queue)) return;
    while (this.#underWay.size >= this.#parts.requestsAtOnceMax) {
      this.#crowded = true;
      await this.#freed.wait();
    }
    this.#crowded = false;
    const work = this.#work(queue).finally(() => {
      this.#underWay.delete(queue);
      this.#freed.ring();
      if (this.#noticed.has(queue)) this.#bell.ring();
    });
    this.#underWay.set(queue, work);
  }

  /** Makes the deliveries of a queue that are due, in their order. Never rejects. */
  async #work(queue: string): Promise<void> {
    const { registry, database } = this.#parts;
    while (!this.#ending) {
      this.#noticed.delete(queue);
      const delivery = await database.ask(() => nextDelivery(registry, { ...this.#webhook, queue }));
      if (!delivery || !(await this.#deliver(delivery))) return;
      if (this.#crowded) return this.notice(queue);
    }
  }

  /** Makes one attempt. Answers whether it was recorded. */
  async #deliver(delivery: DueDelivery): Promise<boolean> {
    const { receiver, retryMs } = this.#parts;
    const answer = await receiver.deliver(delivery, this.#cut.signal);
    if (!answer) return false;
    const outcome = await this.#record({ delivery, answer, retryMs });
    if (outcome) this.#tell(delivery, answer, outcome);
    return Boolean(outcome);
  }

  /** Once a delivery is made it is not made again for want of a database, while this process holds the webhook. */
  async #record(attempt: Attempt): Promise<Outcome | null | undefined> {
    const { registry, database } = this.#parts;
    for (;;) {
      const outcome = await database.ask(() => recordAttempt(registry, attempt));
      if (outcome !== undefined || this.#ending) return outcome;
    }
  }

  #tell({ id, webhookId, event }: DueDelivery, { status, text }: Answer, outcome: Outcome): void {
    const { logger, metrics } = this.#parts;
    metrics.attempted(outcome.state);
    const about = { webhookId, deliveryId: id, eventId: event.id, status };
    const { state, turned, disabledReason } = outcome;
    if (turned && state === 'delivered') logger.info(about, 'a webhook takes deliveries again');
    if (turned && state !== 'delivered') logger.warn({ ...about, answer: text }, 'a webhook does not take a delivery');
    if (state === 'given up') logger.warn(about, 'a delivery was given up: its last attempt has failed');
    if (disabledReason) logger.warn({ webhookId, reason: disabledReason }, 'a webhook was disabled');
  }
}
