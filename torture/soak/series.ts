/** A figure that is looked at again and again, and whether it stays what it is. */
export class Series {
  readonly values: number[];

  constructor(values: number[] = []) {
    this.values = values;
  }

  add(value: number): void {
    this.values.push(value);
  }

  /** What was seen once so much of the time was over. */
  after(share: number): Series {
    return new Series(this.values.slice(Math.floor(this.values.length * share)));
  }

  /** Of the first and of the last quarter: one outlier moves neither. */
  get quarters(): { first: number; last: number } {
    const quarter = Math.max(1, Math.floor(this.values.length / 4));
    return { first: median(this.values.slice(0, quarter)), last: median(this.values.slice(-quarter)) };
  }

  /**
   * What it has grown by from the first look to the last: by the median of the slopes between any two of them
   * (Theil–Sen), which holds while fewer than three in ten are outliers.
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

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
}
