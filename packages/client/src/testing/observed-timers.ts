import type { TestContext } from 'node:test';

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
    t.mock.method(globalThis, 'setTimeout', (callback: () => void, ms: number, ...values: []) => {
      if (ms !== delayMs) return start(callback, ms, ...values);
      this.started += 1;
      const timer = start(callback, this.fires ? 0 : ms);
      this.running.add(timer);
      return timer;
    });
    t.mock.method(globalThis, 'clearTimeout', (timer: NodeJS.Timeout) => {
      this.running.delete(timer);
      stop(timer);
    });
  }
}
