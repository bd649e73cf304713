/** How long requests took, in milliseconds. */
export class Latencies {
  readonly #sorted: Float64Array;

  constructor(milliseconds: Iterable<number>) {
    this.#sorted = Float64Array.from(milliseconds).sort();
  }

  get count(): number {
    return this.#sorted.length;
  }

  /** The time that this share of them took at most. */
  at(share: number): number {
    const index = Math.max(0, Math.ceil(this.count * share) - 1);
    const found = this.#sorted[index];
    if (found === undefined) throw new Error('there was not one request');
    return found;
  }
}
