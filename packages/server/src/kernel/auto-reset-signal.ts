/** Wakes a waiter. When set without a waiter, it ends the next wait at once. */
export class AutoResetSignal {
  #isSet = Promise.withResolvers<void>();

  set(): void {
    this.#isSet.resolve();
  }

  /** Waits until it is set, or for `ms`. */
  async wait(ms?: number): Promise<void> {
    const timer = ms === undefined ? undefined : setTimeout(() => this.set(), ms);
    await this.#isSet.promise;
    clearTimeout(timer);
    this.#isSet = Promise.withResolvers();
  }
}
