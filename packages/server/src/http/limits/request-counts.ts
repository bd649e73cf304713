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

/** From the first request of a key on. */
interface Window {
  endsAtMs: number;
  used: number;
}

/** Counts requests by key, or something else of them, in windows, in the memory of this process. */
export class RequestWindows {
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
