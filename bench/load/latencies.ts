import { percentile } from '@appregistrar/testkit/statistics';

/** The durations of requests, in milliseconds. */
export class Latencies {
  readonly #sorted: Float64Array;

  constructor(milliseconds: Iterable<number>) {
    this.#sorted = Float64Array.from(milliseconds).sort();
  }

  get count(): number {
    return this.#sorted.length;
  }

  /** The duration that this share of the requests did not exceed. */
  at(share: number): number {
    if (this.count === 0) throw new Error('no request was measured');
    return percentile(this.#sorted, share);
  }
}
