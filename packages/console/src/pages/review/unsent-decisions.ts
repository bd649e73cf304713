import type { Holder } from '../../holder.ts';
import { type Draft, writerName } from './drafts.ts';

/** For how long a decision can be undone. */
export const undoMs = 8_000;
/** After this time no open window is still about to send a decision that is stored. */
const abandonedMs = undoMs + 10_000;

/** The steps that can be undone, because others see nothing of them until they are sent. */
export type UndoableStep = 'approve' | 'reject' | 'reject-change';

/** A decision that has been made and is not known to have arrived. */
export interface UnsentDecision {
  /** Its `Idempotency-Key`, so that it can be sent again without deciding twice. */
  key: string;
  step: UndoableStep;
  appId: string;
  appName: string;
  /** The revision that was on screen, by its tag and by its number. */
  etag: string;
  revision: number;
  /** What is sent with it. */
  draft: Draft;
  madeAt: number;
  /** The name of who made it, as in drafts. */
  writer: string;
}

/** A decision that did not arrive, and why, as far as that is known. */
export interface FailedDecision {
  decision: UnsentDecision;
  error?: unknown;
}

interface Environment {
  send: (decision: UnsentDecision) => Promise<unknown>;
  /** Called after a decision was refused, or could not be sent. */
  onFailure?: (failed: FailedDecision) => void;
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> & Record<string, unknown>;
  timers: { setTimeout: (run: () => void, ms: number) => unknown; clearTimeout: (timer: never) => void };
  now: () => number;
}

const prefix = 'unsent-decision ';

/**
 * Decisions wait here until they can no longer be undone: for some seconds, until the next one, or until the reviewer
 * leaves. The browser stores them, so that a crash loses none.
 */
export class UnsentDecisions {
  /** What `Z` undoes: the latest decision, or several that were made together. */
  waiting: readonly UnsentDecision[] = [];
  /** How many are on their way. */
  sending = 0;
  failed: readonly FailedDecision[] = [];
  readonly #environment: Environment;
  readonly #listeners = new Set<() => void>();
  #timer: unknown;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** Calls `listener` after each change. Returns how to end that. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Decisions that are made together are undone together. Earlier ones are sent now. */
  make(decisions: readonly UnsentDecision[]): void {
    void this.sendNow();
    for (const decision of decisions) this.#store(decision);
    this.waiting = decisions;
    this.#timer = this.#environment.timers.setTimeout(() => void this.sendNow(), undoMs);
    this.#changed();
  }

  /** Takes back what waits, and returns it. */
  undo(): readonly UnsentDecision[] {
    const undone = this.#take();
    for (const { key } of undone) this.#environment.storage.removeItem(prefix + key);
    this.#changed();
    return undone;
  }

  /** Sends what waits. The requests have begun when it returns, and have ended when the promise resolves. */
  async sendNow(): Promise<void> {
    const sent = this.#take().map((decision) => this.#send(decision));
    this.#changed();
    await Promise.all(sent);
  }

  /** Sends a decision again that has failed. */
  retry({ decision }: FailedDecision): void {
    this.#forget(decision);
    void this.#send(decision);
    this.#changed();
  }

  /** Gives up a decision that has failed. */
  discard({ decision }: FailedDecision): void {
    this.#forget(decision);
    this.#environment.storage.removeItem(prefix + decision.key);
    this.#changed();
  }

  /**
   * The decisions of this person that an earlier window left, and removes those of others. `isPending` finds out from the
   * registry whether a decision is still to be made: if not, it has arrived.
   */
  async recover(holder: Holder, isPending: (decision: UnsentDecision) => Promise<boolean>): Promise<void> {
    const { storage, now } = this.#environment;
    for (const key of Object.keys(storage).filter((name) => name.startsWith(prefix))) {
      const decision = parse(storage.getItem(key));
      if (decision?.writer !== writerName(holder)) storage.removeItem(key);
      else if (now() - decision.madeAt > abandonedMs && !this.#knows(decision)) {
        if (await isPending(decision)) this.failed = [...this.failed, { decision }];
        else storage.removeItem(key);
      }
    }
    this.failed = this.failed.filter(({ decision }) => decision.writer === writerName(holder));
    this.#changed();
  }

  async #send(decision: UnsentDecision): Promise<void> {
    this.sending += 1;
    try {
      await this.#environment.send(decision);
      this.#environment.storage.removeItem(prefix + decision.key);
    } catch (error) {
      const failed = { decision, error };
      this.failed = [...this.failed, failed];
      this.#environment.onFailure?.(failed);
    }
    this.sending -= 1;
    this.#changed();
  }

  #take(): readonly UnsentDecision[] {
    this.#environment.timers.clearTimeout(this.#timer as never);
    const taken = this.waiting;
    this.waiting = [];
    return taken;
  }

  #forget(decision: UnsentDecision): void {
    this.failed = this.failed.filter((failed) => failed.decision.key !== decision.key);
  }

  #knows({ key }: UnsentDecision): boolean {
    return [...this.waiting, ...this.failed.map(({ decision }) => decision)].some((one) => one.key === key);
  }

  #store(decision: UnsentDecision): void {
    try {
      this.#environment.storage.setItem(prefix + decision.key, JSON.stringify(decision));
    } catch {
      // Without room, it is lost only if the browser crashes before it is sent.
    }
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** Undefined for what no release of this console has stored. */
function parse(text: string | null): UnsentDecision | undefined {
  try {
    const stored = JSON.parse(text ?? '') as UnsentDecision;
    return Array.isArray(stored.draft.marks) ? stored : undefined;
  } catch {
    return undefined;
  }
}
