import type { Registry } from '../../../kernel/registry.ts';
import { type Attempt, type Outcome, recordAttempts } from '../deliveries/record-attempts.ts';
import type { RetryingDatabase } from './retrying-database.ts';

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
