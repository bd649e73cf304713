import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { HttpProblem } from '../problem/problem.ts';

const windowSeconds = 60;

/** The remaining quota of a token, in the header fields of the IETF RateLimit draft. */
export interface Quota {
  headers: Record<string, string>;
  /** The problem to report; null while the quota lasts. */
  problem: HttpProblem | null;
}

/** The limits shared by the routes of a listener. */
export interface RateLimits {
  updates: RateLimit;
  reads: RateLimit;
}

/** Counts the requests of each token per minute, in this process (decision 32). */
export class RateLimit {
  readonly #name: string;
  readonly #perMinute: number;
  /** One for each limit in use. */
  readonly #limiters = new Map<number, RateLimiterMemory>();

  /** `perMinute` is for tokens without a limit of their own; 0 means no limit. */
  constructor(name: string, perMinute: number) {
    this.#name = name;
    this.#perMinute = perMinute;
  }

  isUnlimited(ownPerMinute: number | null): boolean {
    return (ownPerMinute ?? this.#perMinute) === 0;
  }

  /** Takes one from the quota of a token. A limit of its own takes precedence over the common one. */
  async take(tokenId: string, ownPerMinute: number | null = null): Promise<Quota> {
    const perMinute = ownPerMinute ?? this.#perMinute;
    if (this.isUnlimited(ownPerMinute)) return { headers: {}, problem: null };
    try {
      return { headers: this.#headers(perMinute, await this.#limiter(perMinute).consume(tokenId)), problem: null };
    } catch (error) {
      if (error instanceof RateLimiterRes) return this.#exhausted(perMinute, error);
      throw error;
    }
  }

  /** Releases what `take` took, for a request that does not count after all. Returns the updated fields. */
  async release(tokenId: string, ownPerMinute: number | null = null): Promise<Quota['headers']> {
    const perMinute = ownPerMinute ?? this.#perMinute;
    return this.isUnlimited(ownPerMinute)
      ? {}
      : this.#headers(perMinute, await this.#limiter(perMinute).reward(tokenId));
  }

  #limiter(perMinute: number): RateLimiterMemory {
    let limiter = this.#limiters.get(perMinute);
    if (!limiter) {
      limiter = new RateLimiterMemory({ points: perMinute, duration: windowSeconds });
      this.#limiters.set(perMinute, limiter);
    }
    return limiter;
  }

  #exhausted(perMinute: number, state: RateLimiterRes): Quota {
    const headers = this.#headers(perMinute, state);
    const seconds = secondsLeft(state);
    return {
      headers,
      problem: new HttpProblem(
        'too_many_requests',
        `This token may make ${perMinute} ${this.#name} a minute. Retry in ${seconds} s.`,
        { ...headers, 'retry-after': String(seconds) },
      ),
    };
  }

  #headers(perMinute: number, state: RateLimiterRes): Record<string, string> {
    return {
      'ratelimit-policy': `"${this.#name}";q=${perMinute};w=${windowSeconds}`,
      ratelimit: `"${this.#name}";r=${Math.max(0, state.remainingPoints)};t=${secondsLeft(state)}`,
    };
  }
}

function secondsLeft(state: RateLimiterRes): number {
  return Math.max(1, Math.ceil(state.msBeforeNext / 1000));
}
