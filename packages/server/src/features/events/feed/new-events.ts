import { AutoResetSignal } from '../../../kernel/auto-reset-signal.ts';
import type { Registry } from '../../../kernel/registry.ts';
import type { FeedPlace } from '../../../storage/storage.ts';
import { findFeedEnd, findWaitingEvent } from './event-feed-queries.ts';

const pollMsDefault = 1_000;
/** The first pause while an unfinished transaction holds an event back; each further one is twice as long. */
const waitingMsMin = 10;

/** A storage that reports each commit of this process, if it can. */
type CommittingStorage = Registry['storage'] & { onCommitted?: (() => void) | undefined };

interface Waiter {
  place: FeedPlace;
  end: () => void;
}

/**
 * Waits for readable events. One query serves all waiting requests, at each commit of this process and each second;
 * none is made while no request waits.
 */
export class NewEvents {
  readonly #storage: CommittingStorage;
  readonly #pollMs: number;
  readonly #waiters = new Set<Waiter>();
  readonly #wakeUp = new AutoResetSignal();
  #isPolling = false;
  #isStopped = false;

  /** `pollMs` is how often to check for events of other processes. */
  constructor(storage: CommittingStorage, pollMs = pollMsDefault) {
    this.#storage = storage;
    this.#pollMs = pollMs;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** How many wait. */
  get waiting(): number {
    return this.#waiters.size;
  }

  /** Waits until there is an event after this place, for `ms`, or until the signal. May end early, and never rejects. */
  async wait(place: FeedPlace, { ms, signal }: { ms: number; signal: AbortSignal }): Promise<void> {
    if (this.#isStopped || signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const end = () => resolve();
    const waiter = { place, end };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
    this.#waiters.add(waiter);
    // Covers events committed after the reader last read.
    if (this.#isPolling) this.#wakeUp.set();
    else void this.#poll();
    await promise;
    this.#waiters.delete(waiter);
    signal.removeEventListener('abort', end);
    clearTimeout(timer);
    if (this.#waiters.size === 0) this.#wakeUp.set();
  }

  /** Ends all waits, those to come too. */
  stop(): void {
    this.#isStopped = true;
    for (const { end } of this.#waiters) end();
    this.#wakeUp.set();
  }

  async #poll(): Promise<void> {
    this.#isPolling = true;
    this.#storage.onCommitted = () => this.#wakeUp.set();
    let pauseMs = waitingMsMin;
    while (this.#waiters.size > 0 && !this.#isStopped) {
      // A database that is away is reported by the reads, after the wait.
      const end = await findFeedEnd(this.#storage).catch(() => null);
      for (const waiter of this.#waiters) if (end && isBefore(waiter.place, end)) waiter.end();
      const isWaiting = typeof end?.waitingSince === 'number';
      pauseMs = isWaiting ? Math.min(2 * pauseMs, this.#pollMs) : waitingMsMin;
      // Many commits at once share a query.
      await this.#wakeUp.wait(isWaiting ? pauseMs : this.#pollMs);
    }
    this.#storage.onCommitted = undefined;
    this.#isPolling = false;
  }
}

function isBefore(one: FeedPlace, other: FeedPlace): boolean {
  return one.position < other.position || (one.position === other.position && one.id < other.id);
}

/** How long the first event that an unfinished transaction holds back has waited, in milliseconds; 0 if none does. */
export async function waitingForTransactionsMs({ storage, now }: Registry): Promise<number> {
  const first = await findWaitingEvent(storage);
  return first ? Math.max(0, now() - first.occurred_at) : 0;
}
