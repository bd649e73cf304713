/**
 * The joint capacity for requests in progress of all webhooks of a process. A webhook may use only part of what is
 * free, so webhooks whose receivers do not respond always leave some for the others. One request is always possible.
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

  /** Number of further requests that a webhook may begin when this many are in progress. */
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
