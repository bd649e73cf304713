import { median } from '@appregistrar/testkit/statistics';

/** The samples of a figure, and their growth. */
export class Series {
  readonly values: number[];

  constructor(values: number[] = []) {
    this.values = values;
  }

  add(value: number): void {
    this.values.push(value);
  }

  /** The samples after this share of the time. */
  after(share: number): Series {
    return new Series(this.values.slice(Math.floor(this.values.length * share)));
  }

  /** The medians of the first and the last quarter, which resist outliers. */
  get quarters(): { first: number; last: number } {
    const quarter = Math.max(1, Math.floor(this.values.length / 4));
    return { first: median(this.values.slice(0, quarter)), last: median(this.values.slice(-quarter)) };
  }

  /**
   * The growth from the first sample to the last, by the median of the slopes between any two (Theil–Sen), which
   * tolerates up to three outliers in ten.
   */
  get growth(): number {
    const slopes = this.values.flatMap((value, at) =>
      this.values.slice(at + 1).map((later, distance) => (later - value) / (distance + 1)),
    );
    return median(slopes) * (this.values.length - 1);
  }

  get max(): number {
    return Math.max(...this.values);
  }

  get latest(): number {
    return this.values.at(-1) ?? 0;
  }
}
