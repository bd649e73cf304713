import type { Logger } from 'pino';
import { type Principal, recordTokenUses } from '../../features/access/authenticate.ts';
import { isTypeId } from '../../kernel/ids.ts';
import type { Registry } from '../../kernel/registry.ts';

const hourMs = 3_600_000;
const storeEveryMs = 60_000;
/** Tokens in memory; a use of any further token is recorded later. One statement takes as many. */
const tokensMax = 10_000;

/**
 * Records the hour in which each token was last used, for all tokens together every minute: a request costs one look-up
 * here. Uses in the last minute before a process is killed are lost.
 */
export class TokenUses {
  readonly #registry: Registry;
  readonly #logger: Logger;
  #hour = 0;
  /** The ids of the tokens used in this hour. */
  readonly #used = new Set<string>();
  /** The hours not stored yet, by token id. */
  readonly #unstored = new Map<string, number>();

  constructor(registry: Registry, logger: Logger) {
    this.#registry = registry;
    this.#logger = logger;
  }

  record({ id }: Pick<Principal, 'id'>): void {
    const now = this.#registry.now();
    // Also after the clock was set back.
    if (now < this.#hour || now >= this.#hour + hourMs) this.#startHour(now);
    if (this.#used.has(id) || this.#unstored.size >= tokensMax) return;
    // A principal that an identity provider names has no token here.
    if (!isTypeId(id, 'token')) return;
    if (this.#used.size >= tokensMax) this.#used.clear();
    this.#used.add(id);
    this.#unstored.set(id, this.#hour);
  }

  /** Stores the recorded uses every minute. Returns a function that stops this once all are stored. */
  start(): () => Promise<void> {
    let storing = Promise.resolve();
    const store = () => {
      storing = storing.then(() => this.#store());
      return storing;
    };
    const timer = setInterval(store, storeEveryMs);
    timer.unref();
    return () => {
      clearInterval(timer);
      return store();
    };
  }

  #startHour(now: number): void {
    this.#hour = now - (now % hourMs);
    this.#used.clear();
  }

  async #store(): Promise<void> {
    const hours = new Map(this.#unstored);
    try {
      await recordTokenUses(this.#registry, hours);
      for (const [id, hour] of hours) if (this.#unstored.get(id) === hour) this.#unstored.delete(id);
    } catch (error) {
      // The next minute tries again; requests report the state of the database soon enough.
      this.#logger.warn({ err: error }, 'could not store the last uses of tokens');
    }
  }
}
