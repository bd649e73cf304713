const secondsMax = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

interface Labels {
  route: string;
  method: string;
  status: number;
}

interface Sample {
  metricName: string;
  labels: Labels | (Labels & { le: number | '+Inf' });
  value: number;
}

/**
 * A histogram of requests for Prometheus. Every request counts, and prom-client's own takes several times as long: it
 * looks up its series by a text of all labels. Here the caller holds the series.
 */
export class Durations {
  readonly name: string;
  readonly help: string;
  readonly type = 'histogram';
  readonly #series = new Map<string, Series>();

  constructor(name: string, help: string) {
    this.name = name;
    this.help = help;
  }

  /** The series with these labels, always the same object. */
  series(labels: Labels): Series {
    const key = `${labels.status} ${labels.method} ${labels.route}`;
    let series = this.#series.get(key);
    if (!series) {
      series = new Series(labels);
      this.#series.set(key, series);
    }
    return series;
  }

  /** Called by prom-client. */
  async get() {
    const values = [...this.#series.values()].flatMap((series) => series.samples(this.name));
    return { name: this.name, help: this.help, type: this.type, values };
  }
}

/** Counts the requests with the same labels. */
export class Series {
  readonly #labels: Labels;
  /** The number of requests in each bucket; the last one is for all beyond. */
  readonly #counts: number[] = Array(secondsMax.length + 1).fill(0);
  #sum = 0;

  constructor(labels: Labels) {
    this.#labels = labels;
  }

  observe(seconds: number): void {
    let at = 0;
    for (const max of secondsMax) {
      if (seconds <= max) break;
      at += 1;
    }
    this.#counts[at] = (this.#counts[at] ?? 0) + 1;
    this.#sum += seconds;
  }

  samples(name: string): Sample[] {
    let count = 0;
    const buckets = this.#counts.map((inBucket, at): Sample => {
      count += inBucket;
      return { metricName: `${name}_bucket`, labels: { le: secondsMax[at] ?? '+Inf', ...this.#labels }, value: count };
    });
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels: this.#labels, value: this.#sum },
      { metricName: `${name}_count`, labels: this.#labels, value: count },
    ];
  }
}
