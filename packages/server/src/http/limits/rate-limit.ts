import { HttpProblem } from '../problem/problem.ts';
import { type Count, RequestWindows } from './request-counts.ts';

/** What one request has taken from the quota of its token. */
export interface Quota {
  /** The remaining quota, in the header fields of the IETF RateLimit draft. */
  headers: Record<string, string>;
  /** The problem to report if nothing was left; then nothing was taken. */
  problem: HttpProblem | null;
  /** Returns what was taken to its own window, for a request that does not count after all. Returns the new fields. */
  release(): Quota['headers'];
}

/** The limits shared by the routes of a listener. */
export interface RateLimits {
  updates: RateLimit;
  reads: RateLimit;
}

const daySeconds = 86_400;
const unlimited: Quota = { headers: {}, problem: null, release: () => ({}) };

/** Limits the requests of each token per minute (decision 32). */
export class RateLimit {
  readonly #name: string;
  readonly #perMinute: number;
  readonly #counts: RequestWindows;

  /** `perMinute` is for tokens without a limit of their own; 0 means no limit. Limits may share the counts. */
  constructor(name: string, perMinute: number, counts = new RequestWindows()) {
    this.#name = name;
    this.#perMinute = perMinute;
    this.#counts = counts;
  }

  /** Takes one from the quota of a token. A limit of its own takes precedence over the common one. */
  take(tokenId: string, ownPerMinute: number | null = null): Quota {
    const perMinute = ownPerMinute ?? this.#perMinute;
    return perMinute === 0 ? unlimited : this.#takeOne(tokenId, perMinute);
  }

  #takeOne(tokenId: string, perMinute: number): Quota {
    const key = `${this.#name} ${tokenId}`;
    const count = this.#counts.take(key, perMinute);
    const headers = this.#fields(perMinute, count);
    let held = count.isTaken ? count.endsAtMs : null;
    const release = () => {
      const released = held;
      held = null;
      return this.#fields(perMinute, this.#counts.release(key, perMinute, released));
    };
    return { headers, problem: count.isTaken ? null : this.#problem(perMinute, count), release };
  }

  #problem(perMinute: number, count: Count): HttpProblem {
    const seconds = secondsLeft(count);
    return new HttpProblem(
      'too_many_requests',
      `This token may make ${perMinute} ${this.#name} a minute. Retry in ${seconds} s.`,
      { ...this.#fields(perMinute, count), 'retry-after': String(seconds) },
    );
  }

  #fields(perMinute: number, count: Count): Quota['headers'] {
    return {
      'ratelimit-policy': `"${this.#name}";q=${perMinute};w=60`,
      ratelimit: `"${this.#name}";r=${count.left};t=${secondsLeft(count)}`,
    };
  }
}

/** Limits the bytes that the updates of each developer store in a day, by the size of their bodies (decision 32). */
export class StoredBytes {
  readonly #perDay: number;
  readonly #windows: RequestWindows;

  /** 0 means no limit. */
  constructor(perDay: number, nowMs?: () => number) {
    this.#perDay = perDay;
    this.#windows = new RequestWindows(nowMs, daySeconds * 1_000);
  }

  /**
   * Takes the bytes of an update. Returns what releases them, for an update that stores nothing after all. Throws an
   * `HttpProblem`, and takes nothing, where they are more than what is left.
   */
  take(developerId: string, bytes: number): () => void {
    if (this.#perDay === 0) return () => {};
    const count = this.#windows.take(developerId, this.#perDay, bytes);
    const { left } = count;
    if (count.isTaken) return () => void this.#windows.release(developerId, this.#perDay, count.endsAtMs, bytes);
    const seconds = secondsLeft(count);
    throw new HttpProblem(
      'too_many_requests',
      `The updates of one developer may store ${this.#perDay} bytes a day, of which ${left} are left. This update has ${bytes}. Nothing was changed. Retry in ${seconds} s.`,
      {
        // `qu` says that this quota is not one of requests.
        'ratelimit-policy': `"stored-bytes";q=${this.#perDay};qu="content-bytes";w=${daySeconds}`,
        ratelimit: `"stored-bytes";r=${left};t=${seconds}`,
        'retry-after': String(seconds),
      },
    );
  }
}

function secondsLeft({ leftMs }: Count): number {
  return Math.max(1, Math.ceil(leftMs / 1_000));
}
