const windowMs = 60_000;

/** What is known of the window of a key once a request was counted or released. */
export interface Count {
  /** Whether this request was counted. */
  isTaken: boolean;
  /** How many more the window admits. */
  left: number;
  /** Identifies the window, to release a request. */
  endsAtMs: number;
  leftMs: number;
}

/** From the first request of a key until a minute later. */
interface Window {
  endsAtMs: number;
  used: number;
}

/** Counts requests by key, in windows of a minute, in the memory of this process. */
export class RequestWindows {
  readonly #nowMs: () => number;
  /** The current window of each key, oldest first. */
  readonly #windows = new Map<string, Window>();

  /**
   * The clock must be monotonic: a wall clock that is set back would keep a token out for as long. It counts whole
   * milliseconds.
   */
  constructor(nowMs = () => Math.floor(performance.now())) {
    this.#nowMs = nowMs;
  }

  /** Counts a request, unless that many were counted already. */
  take(key: string, perMinute: number): Count {
    const window = this.#find(key) ?? this.#open(key);
    const isTaken = window.used < perMinute;
    if (isTaken) window.used += 1;
    return this.#count(window, { isTaken, perMinute });
  }

  /** Returns a request to the window that it was taken from, if that has not ended; null returns none. */
  release(key: string, perMinute: number, endsAtMs: number | null): Count {
    const window = this.#find(key);
    if (window?.endsAtMs === endsAtMs) window.used -= 1;
    return this.#count(window ?? this.#newWindow(), { isTaken: false, perMinute });
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
    return { endsAtMs: this.#nowMs() + windowMs, used: 0 };
  }

  #deleteEnded(): void {
    const nowMs = this.#nowMs();
    for (const [key, { endsAtMs }] of this.#windows) {
      if (nowMs < endsAtMs) return;
      this.#windows.delete(key);
    }
  }

  #count({ used, endsAtMs }: Window, { isTaken, perMinute }: { isTaken: boolean; perMinute: number }): Count {
    return { isTaken, left: perMinute - used, endsAtMs, leftMs: endsAtMs - this.#nowMs() };
  }
}
