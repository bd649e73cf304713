/** Reads the duration of each request from the server's log. */
export class ServerTimes {
  #resolve: (ms: number) => void = () => {};

  /** The duration of the next request. */
  next(): Promise<number> {
    const { promise, resolve } = Promise.withResolvers<number>();
    this.#resolve = resolve;
    return promise;
  }

  write(line: string): void {
    const { msg, durationMs } = JSON.parse(line);
    if (msg === 'request') this.#resolve(durationMs);
  }
}
