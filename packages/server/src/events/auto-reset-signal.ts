/** Ends a wait. A ring while nobody waits ends the next wait. */
export class AutoResetSignal {
  #rung = Promise.withResolvers<void>();

  ring(): void {
    this.#rung.resolve();
  }

  /** Waits for a ring, or for so long. */
  async wait(ms?: number): Promise<void> {
    const timer = ms === undefined ? undefined : setTimeout(() => this.ring(), ms);
    await this.#rung.promise;
    clearTimeout(timer);
    this.#rung = Promise.withResolvers();
  }
}
