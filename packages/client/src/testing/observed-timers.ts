import type { TestContext } from 'node:test';

const original = { setTimeout, clearTimeout };

/** The timers with one delay, which no other code of the process uses. */
export class ObservedTimers {
  /** The number of timers that have been started. */
  started = 0;
  /** Those that have been started and not stopped. */
  readonly running = new Set<unknown>();
  /** Whether a timer that starts fires immediately. */
  fires = false;

  constructor(t: TestContext, delayMs: number) {
    const { setTimeout: start, clearTimeout: stop } = globalThis;
    const observed = (callback: () => void, ms: number, ...values: []) => {
      if (ms !== delayMs) return start(callback, ms, ...values);
      this.started += 1;
      const timer = start(callback, this.fires ? 0 : ms);
      this.running.add(timer);
      return timer;
    };
    // Unlike `t.mock`, so that a test can observe two delays.
    globalThis.setTimeout = Object.assign(observed, start);
    globalThis.clearTimeout = (timer) => {
      this.running.delete(timer);
      stop(timer);
    };
    t.after(() => Object.assign(globalThis, original));
  }
}
