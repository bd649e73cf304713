/** What a server logs of its requests: how long each took. */
export class ServerTimes {
  #tell: (ms: number) => void = () => {};

  next(): Promise<number> {
    const { promise, resolve } = Promise.withResolvers<number>();
    this.#tell = resolve;
    return promise;
  }

  write(line: string): void {
    const { msg, durationMs } = JSON.parse(line);
    if (msg === 'request') this.#tell(durationMs);
  }
}
