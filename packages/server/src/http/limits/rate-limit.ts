import { HttpProblem } from '../problem/problem.ts';

const windowMs = 60_000;

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

/** From the first request of a token until a minute later. */
interface Window {
  endsAtMs: number;
  used: number;
}

const unlimited: Quota = { headers: {}, problem: null, release: () => ({}) };

/** Counts the requests of each token per minute, in this process (decision 32). */
export class RateLimit {
  readonly #name: string;
  readonly #perMinute: number;
  readonly #nowMs: () => number;
  /** The current window of each token, oldest first. */
  readonly #windows = new Map<string, Window>();

  /**
   * `perMinute` is for tokens without a limit of their own; 0 means no limit. The clock must be monotonic: a wall clock
   * that is set back would keep a token out for as long. It counts whole milliseconds.
   */
  constructor(name: string, perMinute: number, nowMs = () => Math.floor(performance.now())) {
    this.#name = name;
    this.#perMinute = perMinute;
    this.#nowMs = nowMs;
  }

  isUnlimited(ownPerMinute: number | null): boolean {
    return (ownPerMinute ?? this.#perMinute) === 0;
  }

  /** Takes one from the quota of a token. A limit of its own takes precedence over the common one. */
  take(tokenId: string, ownPerMinute: number | null = null): Quota {
    if (this.isUnlimited(ownPerMinute)) return unlimited;
    const perMinute = ownPerMinute ?? this.#perMinute;
    const window = this.#findWindow(tokenId) ?? this.#openWindow(tokenId);
    const fields = () => this.#fields(perMinute, this.#findWindow(tokenId) ?? this.#newWindow());
    if (window.used >= perMinute) return { ...this.#exhausted(perMinute, window), release: fields };
    window.used += 1;
    let isHeld = true;
    const release = () => {
      // Its window may have ended: then this changes no other.
      if (isHeld) window.used -= 1;
      isHeld = false;
      return fields();
    };
    return { headers: this.#fields(perMinute, window), problem: null, release };
  }

  #findWindow(tokenId: string): Window | undefined {
    const window = this.#windows.get(tokenId);
    return window && this.#nowMs() < window.endsAtMs ? window : undefined;
  }

  #openWindow(tokenId: string): Window {
    this.#deleteEnded();
    const window = this.#newWindow();
    this.#windows.set(tokenId, window);
    return window;
  }

  #newWindow(): Window {
    return { endsAtMs: this.#nowMs() + windowMs, used: 0 };
  }

  #deleteEnded(): void {
    const nowMs = this.#nowMs();
    for (const [tokenId, { endsAtMs }] of this.#windows) {
      if (nowMs < endsAtMs) return;
      this.#windows.delete(tokenId);
    }
  }

  #exhausted(perMinute: number, window: Window): Pick<Quota, 'headers' | 'problem'> {
    const headers = this.#fields(perMinute, window);
    const seconds = this.#secondsLeft(window);
    const problem = new HttpProblem(
      'too_many_requests',
      `This token may make ${perMinute} ${this.#name} a minute. Retry in ${seconds} s.`,
      { ...headers, 'retry-after': String(seconds) },
    );
    return { headers, problem };
  }

  #fields(perMinute: number, window: Window): Quota['headers'] {
    return {
      'ratelimit-policy': `"${this.#name}";q=${perMinute};w=${windowMs / 1_000}`,
      ratelimit: `"${this.#name}";r=${perMinute - window.used};t=${this.#secondsLeft(window)}`,
    };
  }

  #secondsLeft({ endsAtMs }: Window): number {
    return Math.max(1, Math.ceil((endsAtMs - this.#nowMs()) / 1_000));
  }
}
