import type { Logger } from 'pino';
import { AutoResetSignal } from '../../../kernel/auto-reset-signal.ts';
import type { Registry } from '../../../kernel/registry.ts';
import type { ServedWebhook } from '../deliveries/next-delivery-queries.ts';
import { type DueRequest, listDueQueues, nextRequests, queuesPerReadMax } from '../deliveries/next-requests.ts';
import { type Attempt, type DeliveryResult, type Outcome, recordAttempts } from '../deliveries/record-attempts.ts';
import type { DeliveryMetrics } from './delivery-metrics.ts';
import type { Receiver } from './receiver.ts';
import type { RetryingDatabase } from './retrying-database.ts';
import { queueShard } from './webhook-leases.ts';

const queuesPerPoll = 100;
/** Number of queues remembered between two polls, besides those of one poll. */
const readyMax = 200;
/** Polling takes at most a tenth of the time, however many queues wait for another attempt. */
const restFactor = 9;

export interface WorkerParts {
  registry: Registry;
  database: RetryingDatabase;
  recorder: AttemptRecorder;
  receiver: Receiver;
  capacity: RequestCapacity;
  logger: Logger;
  metrics: DeliveryMetrics;
  retryMs: readonly number[];
  pollMs: number;
}

/**
 * Delivers to one webhook from the shards that this process serves: one request after another per queue, many queues at
 * the same time. New deliveries are notified; all others are found by polling.
 *
 * The order does not depend on the leases: a delivery is sent only once the database shows that all earlier ones in its
 * queue are delivered or given up. Two processes that serve the same shard send some deliveries twice.
 */
export class WebhookWorker {
  /** Settles when it has stopped and no attempt is in progress. */
  readonly ended: Promise<void>;
  readonly #served: ServedWebhook;
  readonly #parts: WorkerParts;
  readonly #underWay = new Map<string, Promise<void>>();
  /** Queues that may have due deliveries, in the order in which they are served. */
  readonly #ready = new Set<string>();
  readonly #wakeUp = new AutoResetSignal();
  readonly #aborted = new AbortController();
  #shards: ReadonlySet<number>;
  /** The setting of the webhook at the last poll. */
  #inBatches = false;
  #requestsAtOnce = 1;
  #draining = false;
  /** When to poll next, by `performance.now()`, and after which queue. */
  #pollAt = 0;
  #pollAfter = '';

  constructor(served: ServedWebhook, shards: ReadonlySet<number>, parts: WorkerParts) {
    this.#served = served;
    this.#shards = shards;
    this.#parts = parts;
    this.ended = this.#run();
  }

  /** Begins attempts in these shards only. */
  serve(shards: ReadonlySet<number>): void {
    const isMore = [...shards].some((shard) => !this.#shards.has(shard));
    this.#shards = shards;
    if (!isMore) return;
    this.#pollAt = 0;
    this.#wakeUp.set();
  }

  /** Whether no attempt is under way in a shard. */
  isIdle(shard: number): boolean {
    return ![...this.#underWay.keys()].some((queue) => queueShard(queue) === shard);
  }

  /** A delivery was added to a queue. */
  notify(queue: string): void {
    if (!this.#shards.has(queueShard(queue))) return;
    if (this.#ready.size < readyMax) this.#ready.add(queue);
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
    while (!this.#draining) {
      const left = this.#left();
      if (left > 0 && this.#ready.size <= readyMax && this.#pollAt <= performance.now()) await this.#poll();
      const queues = this.#take(left);
      if (queues.length > 0) await this.#begin(queues);
      // Without room only the end of a request matters.
      else if (left === 0) await this.#wakeUp.wait();
      else if (this.#pollAt > performance.now()) await this.#wakeUp.wait(this.#pollAt - performance.now());
    }
    await Promise.all(this.#underWay.values());
  }

  /** How many more requests may begin now. */
  #left(): number {
    const own = this.#requestsAtOnce - this.#underWay.size;
    return Math.max(0, Math.min(own, this.#parts.capacity.leftFor(this.#underWay.size)));
  }

  /** Makes the next due queues ready. */
  async #poll(): Promise<void> {
    const { registry, database, pollMs, retryMs } = this.#parts;
    const { webhookId } = this.#served;
    const beganAt = performance.now();
    // A notification that does not fit meanwhile sets it again.
    this.#pollAt = Number.POSITIVE_INFINITY;
    const page = await database.run(() =>
      listDueQueues(registry, { webhookId, retryMs, after: this.#pollAfter, limit: queuesPerPoll }),
    );
    // Disabled or deleted.
    if (page === null) this.drain();
    if (!page) {
      this.#pollAt = 0;
      return;
    }
    this.#inBatches = page.inBatches;
    this.#requestsAtOnce = page.requestsAtOnce;
    const due = page.due.filter((queue) => this.#shards.has(queueShard(queue)));
    const restMs = due.length === 0 ? (performance.now() - beganAt) * restFactor : 0;
    for (const queue of due) this.#ready.add(queue);
    const isLast = page.last === undefined;
    this.#pollAt = Math.min(this.#pollAt, performance.now() + Math.max(restMs, isLast ? pollMs : 0));
    this.#pollAfter = page.last ?? '';
  }

  /** The next ready queues, without those under way: they become ready again when their attempt ends. */
  #take(left: number): string[] {
    const max = Math.min(left, queuesPerReadMax[this.#inBatches ? 'batch' : 'single']);
    const taken: string[] = [];
    for (const queue of this.#ready) {
      if (taken.length >= max) break;
      this.#ready.delete(queue);
      if (!this.#underWay.has(queue) && this.#shards.has(queueShard(queue))) taken.push(queue);
    }
    return taken;
  }

  /** Begins the due requests of these queues. */
  async #begin(queues: string[]): Promise<void> {
    const { registry, database, retryMs } = this.#parts;
    const wanted = { ...this.#served, queues, retryMs, inBatches: this.#inBatches };
    const requests = await database.run(() => nextRequests(registry, wanted));
    if (!requests) this.#pollAt = 0;
    if (!requests || this.#draining) return;
    for (const request of requests) {
      if (this.#shards.has(queueShard(request.queue))) this.#underWay.set(request.queue, this.#work(request));
    }
  }

  /** Makes one attempt. Never rejects. */
  async #work(request: DueRequest): Promise<void> {
    const { capacity } = this.#parts;
    capacity.begin(request.body.length);
    const isRecorded = await this.#deliver(request);
    capacity.end(request.body.length);
    this.#underWay.delete(request.queue);
    if (isRecorded) this.notify(request.queue);
    this.#wakeUp.set();
  }

  async #deliver(request: DueRequest): Promise<boolean> {
    const { receiver, recorder, retryMs } = this.#parts;
    const result = await receiver.deliver(request, this.#aborted.signal);
    if (!result) return false;
    const outcome = await recorder.record({ request, result, retryMs });
    if (outcome) this.#report(request, result, outcome);
    return Boolean(outcome);
  }

  #report({ webhookId, deliveries }: DueRequest, { status, text }: DeliveryResult, outcome: Outcome): void {
    const { logger, metrics } = this.#parts;
    const { state, failingChanged, disabledReason } = outcome;
    metrics.attempted(state, deliveries.length);
    const [first, ...more] = deliveries;
    const batch = more.length > 0 && { deliveries: deliveries.length };
    const about = { webhookId, deliveryId: first?.id, eventId: first?.eventId, ...batch, status };
    if (failingChanged && state === 'delivered') logger.info(about, 'webhook deliveries succeed again');
    if (failingChanged && state !== 'delivered') logger.warn({ ...about, response: text }, 'webhook delivery failed');
    if (state === 'given up') logger.warn(about, 'webhook delivery given up: last attempt failed');
    if (disabledReason) logger.warn({ webhookId, reason: disabledReason }, 'webhook disabled');
  }
}

/** Maximum number of deliveries that one transaction records besides its first attempt. */
const deliveriesMax = 1_000;

interface Waiting {
  attempt: Attempt;
  resolve: (outcome: Outcome | null | undefined) => void;
}

/** Records attempts in one transaction at a time, which takes all that have ended since the last one began. */
export class AttemptRecorder {
  readonly #registry: Registry;
  readonly #database: RetryingDatabase;
  readonly #ended: AbortSignal;
  readonly #waiting: Waiting[] = [];
  #isRecording = false;

  constructor(registry: Registry, { database, ended }: { database: RetryingDatabase; ended: AbortSignal }) {
    this.#registry = registry;
    this.#database = database;
    this.#ended = ended;
  }

  /**
   * Retries until the attempt is recorded, so that a lost database does not repeat the delivery. Resolves to undefined
   * if this process ends first.
   */
  record(attempt: Attempt): Promise<Outcome | null | undefined> {
    const { promise, resolve } = Promise.withResolvers<Outcome | null | undefined>();
    this.#waiting.push({ attempt, resolve });
    if (!this.#isRecording) void this.#recordAll();
    return promise;
  }

  /** Never rejects. */
  async #recordAll(): Promise<void> {
    this.#isRecording = true;
    while (this.#waiting.length > 0) await this.#record(this.#nextGroup());
    this.#isRecording = false;
  }

  async #record(group: Waiting[]): Promise<void> {
    const attempts = group.map(({ attempt }) => attempt);
    let outcomes: (Outcome | null)[] | undefined;
    do outcomes = await this.#database.run(() => recordAttempts(this.#registry, attempts));
    while (!outcomes && !this.#ended.aborted);
    for (const [at, { resolve }] of group.entries()) resolve(outcomes?.[at]);
  }

  #nextGroup(): Waiting[] {
    let deliveries = 0;
    const end = this.#waiting.findIndex(({ attempt }, at) => {
      deliveries += attempt.request.deliveries.length;
      return at > 0 && deliveries > deliveriesMax;
    });
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : end);
  }
}

/**
 * The joint capacity for requests in progress of all webhooks of a process. A webhook may use only part of what is
 * free, so webhooks whose receivers do not respond always leave some for the others. One request is always possible.
 */
export class RequestCapacity {
  readonly #requestsMax: number;
  readonly #bytesMax: number;
  #requests = 0;
  #bytes = 0;

  constructor({ requestsMax, bytesMax }: { requestsMax: number; bytesMax: number }) {
    this.#requestsMax = requestsMax;
    this.#bytesMax = bytesMax;
  }

  /** Number of further requests that a webhook may begin when this many are in progress. */
  leftFor(underWay: number): number {
    const left = this.#bytes < this.#bytesMax ? (this.#requestsMax - this.#requests - underWay) / 2 : 0;
    return Math.max(underWay === 0 ? 1 : 0, Math.floor(left));
  }

  begin(bytes: number): void {
    this.#requests += 1;
    this.#bytes += bytes;
  }

  end(bytes: number): void {
    this.#requests -= 1;
    this.#bytes -= bytes;
  }
}
