import type { Logger } from 'pino';
import type { Registry } from '../../registry/registry.ts';
import type { TokenHolder } from '../../registry/tokens/authenticate.ts';
import { recordTokenUses } from '../../registry/tokens/record-token-uses.ts';
import { isTypeId } from '../../registry/type-id.ts';

const hourMs = 3_600_000;
const everyMs = 60_000;
/** How many tokens are remembered; of those beyond, a later use is noted. One statement takes as many. */
const tokensMax = 10_000;

/**
 * Notes in which hour each token was used last, for all of them at once every minute: a request pays for no more than
 * looking its token up here. What was used in the last minute before a process is killed is not noted.
 */
export class TokenUses {
  readonly #registry: Registry;
  readonly #logger: Logger;
  #hour = 0;
  /** The tokens that were used in this hour. */
  readonly #used = new Set<string>();
  /** The hours that are not stored yet, by the ids of the tokens. */
  readonly #unstored = new Map<string, number>();

  constructor(registry: Registry, logger: Logger) {
    this.#registry = registry;
    this.#logger = logger;
  }

  note({ id }: Pick<TokenHolder, 'id'>): void {
    const now = this.#registry.now();
    // Also of a clock that was put back.
    if (now < this.#hour || now >= this.#hour + hourMs) this.#begin(now);
    if (this.#used.has(id) || this.#unstored.size >= tokensMax) return;
    // Whom an identity provider names has no token here.
    if (!isTypeId(id, 'token')) return;
    if (this.#used.size >= tokensMax) this.#used.clear();
    this.#used.add(id);
    this.#unstored.set(id, this.#hour);
  }

  /** Stores what was noted, now and then. Answers what ends that, once all is stored. */
  start(): () => Promise<void> {
    let storing = Promise.resolve();
    const store = () => {
      storing = storing.then(() => this.#store());
      return storing;
    };
    const timer = setInterval(store, everyMs);
    timer.unref();
    return () => {
      clearInterval(timer);
      return store();
    };
  }

  #begin(now: number): void {
    this.#hour = now - (now % hourMs);
    this.#used.clear();
  }

  async #store(): Promise<void> {
    const hours = new Map(this.#unstored);
    try {
      await recordTokenUses(this.#registry, hours);
      for (const [id, hour] of hours) if (this.#unstored.get(id) === hour) this.#unstored.delete(id);
    } catch (error) {
      // It can wait for the next minute; requests tell the state of the database soon enough.
      this.#logger.warn({ err: error }, 'the last uses of tokens could not be noted');
    }
  }
}
