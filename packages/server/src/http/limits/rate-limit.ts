import type { Principal } from '../../features/access/access-token.ts';
import { HttpProblem } from '../problem/problem.ts';

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

/** Measured of one window of the console: 27 requests a minute by itself, 139 with 40 decisions and 120 events of others. */
const consolePerMinuteMin = 600;

/**
 * Limits the requests to the operator listener per minute: of each token and, apart from those, of each person with the
 * console, which must work with any limit.
 */
export class OperatorLimits {
  readonly #tokens: RateLimit;
  readonly #people: RateLimit;

  /** 0 means no limit. */
  constructor(perMinute: number) {
    this.#tokens = new RateLimit('requests', perMinute);
    const ofPeople = perMinute === 0 ? 0 : Math.max(perMinute, consolePerMinuteMin);
    this.#people = new RateLimit('requests', ofPeople, { whose: 'A person with the console' });
  }

  /** By a session, the principal is the person who has opened it. */
  take({ id, requestsPerMinute }: Pick<Principal, 'id' | 'requestsPerMinute'>, by: 'token' | 'session'): Quota {
    return by === 'session' ? this.#people.take(id) : this.#tokens.take(id, requestsPerMinute);
  }
}

interface RateLimitOptions {
  /** Begins the sentence that says how many requests are allowed. */
  whose?: string;
  nowMs?: () => number;
}

/** Limits the requests of each token per minute. */
export class RateLimit {
  readonly #name: string;
  readonly #perMinute: number;
  readonly #whose: string;
  readonly #counts: RequestWindows;

  /** `perMinute` is for tokens without a limit of their own; 0 means no limit. */
  constructor(name: string, perMinute: number, { whose = 'This token', nowMs }: RateLimitOptions = {}) {
    this.#name = name;
    this.#perMinute = perMinute;
    this.#whose = whose;
    this.#counts = new RequestWindows(nowMs);
  }

  /** Takes one from the quota of a token. A limit of its own takes precedence over the common one. */
  take(tokenId: string, ownPerMinute: number | null = null): Quota {
    const perMinute = ownPerMinute ?? this.#perMinute;
    if (perMinute === 0) return unlimited;
    const count = this.#counts.take(tokenId, perMinute);
    const headers = this.#fields(perMinute, count);
    let held = count.isTaken ? count.endsAtMs : null;
    const release = () => {
      const released = held;
      held = null;
      return this.#fields(perMinute, this.#counts.release(tokenId, perMinute, released));
    };
    return { headers, problem: count.isTaken ? null : this.#problem(perMinute, count), release };
  }

  #problem(perMinute: number, count: Count): HttpProblem {
    const seconds = secondsLeft(count);
    return new HttpProblem(
      'too_many_requests',
      `${this.#whose} may make ${perMinute} ${this.#name} a minute. Retry in ${seconds} s.`,
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

/** Limits the bytes that the updates of each developer store in a day, by the size of their bodies. */
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

/** What is known of the window of a key once a request was counted or released. */
interface Count {
  /** Whether this request was counted. */
  isTaken: boolean;
  /** How many more the window admits. */
  left: number;
  /** Identifies the window, to release a request. */
  endsAtMs: number;
  leftMs: number;
}

/** From the first request of a key on. */
interface Window {
  endsAtMs: number;
  used: number;
}

/** Counts requests by key, or something else of them, in windows, in the memory of this process. */
class RequestWindows {
  readonly #nowMs: () => number;
  readonly #windowMs: number;
  /** The current window of each key, oldest first. */
  readonly #windows = new Map<string, Window>();

  /**
   * The clock must be monotonic: a wall clock that is set back would keep a token out for as long. It counts whole
   * milliseconds.
   */
  constructor(nowMs = () => Math.floor(performance.now()), windowMs = 60_000) {
    this.#nowMs = nowMs;
    this.#windowMs = windowMs;
  }

  /** Counts a request, or an amount of something, unless that exceeds the maximum. */
  take(key: string, max: number, amount = 1): Count {
    const window = this.#find(key) ?? this.#open(key);
    const isTaken = window.used + amount <= max;
    if (isTaken) window.used += amount;
    return this.#count(window, { isTaken, max });
  }

  /** Returns an amount to the window that it was taken from, if that has not ended; null returns none. */
  release(key: string, max: number, endsAtMs: number | null, amount = 1): Count {
    const window = this.#find(key);
    if (window?.endsAtMs === endsAtMs) window.used -= amount;
    return this.#count(window ?? this.#newWindow(), { isTaken: false, max });
  }

  #find(key: string): Window | undefined {
    const window = this.#windows.get(key);
    return window && this.#nowMs() < window.endsAtMs ? window : undefined;
  }

  #open(key: string): Window {
    this.#deleteEnded();
    const window = this.#newWindow();
    this.#windows.set(key, window);
    return window;
  }

  #newWindow(): Window {
    return { endsAtMs: this.#nowMs() + this.#windowMs, used: 0 };
  }

  #deleteEnded(): void {
    const nowMs = this.#nowMs();
    for (const [key, { endsAtMs }] of this.#windows) {
      if (nowMs < endsAtMs) return;
      this.#windows.delete(key);
    }
  }

  #count({ used, endsAtMs }: Window, { isTaken, max }: { isTaken: boolean; max: number }): Count {
    return { isTaken, left: max - used, endsAtMs, leftMs: endsAtMs - this.#nowMs() };
  }
}
