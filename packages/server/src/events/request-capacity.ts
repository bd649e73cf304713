/**
 * What the requests under way of all webhooks of a process may take together. A webhook may use as much as is left over,
 * so that those whose receivers do not respond never leave nothing to the others. One request is always possible.
 */
export class RequestCapacity {
  readonly #requestsMax: number;
  readonly #bytesMax: number;
  #requests = 0;
  #bytes = 0;

  constructor({ requestsMax, bytesMax }: { requestsMax: number; bytesMax: number }) {
    this.#requestsMax = requestsMax;
    this.#bytesMax = bytesMax;
  }

  /** How many more requests a webhook may begin, of which this many are under way. */
  leftFor(underWay: number): number {
    const left = this.#bytes < this.#bytesMax ? (this.#requestsMax - this.#requests - underWay) / 2 : 0;
    return Math.max(underWay === 0 ? 1 : 0, Math.floor(left));
  }

  begin(bytes: number): void {
    this.#requests += 1;
    this.#bytes += bytes;
  }

  end(bytes: number): void {
    this.#requests -= 1;
    this.#bytes -= bytes;
  }
}
