/** Reports that something has changed, to tests that wait for its consequence without a clock. */
export class Changes {
  #next = Promise.withResolvers<void>();

  report(): void {
    this.#next.resolve();
    this.#next = Promise.withResolvers();
  }

  /** Looks after each change, until it finds what is neither null, undefined nor false. */
  async until<Found>(find: () => Found | Promise<Found>): Promise<Exclude<Found, false | null | undefined>> {
    for (;;) {
      const next = this.#next.promise;
      const found = await find();
      if (found) return found as Exclude<Found, false | null | undefined>;
      await next;
    }
  }
}
