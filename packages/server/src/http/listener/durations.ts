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
 * A histogram of requests for Prometheus. Each request counts in one, and the library's own takes several times as long:
 * it writes out all the labels each time to find what they have counted. Here whoever counts keeps its series.
 */
export class Durations {
  readonly name: string;
  readonly help: string;
  readonly type = 'histogram';
  readonly aggregator = 'sum';
  readonly #series = new Map<string, Series>();

  constructor(name: string, help: string) {
    this.name = name;
    this.help = help;
  }

  /** The one with these labels, whoever asks for it. */
  series(labels: Labels): Series {
    const key = `${labels.status} ${labels.method} ${labels.route}`;
    let series = this.#series.get(key);
    if (!series) {
      series = new Series(labels);
      this.#series.set(key, series);
    }
    return series;
  }

  /** As the library asks for them. */
  async get() {
    const values = [...this.#series.values()].flatMap((series) => series.samples(this.name));
    return { name: this.name, help: this.help, type: this.type, aggregator: this.aggregator, values };
  }
}

/** Counts the requests with the same labels. */
export class Series {
  readonly #labels: Labels;
  /** How many took no longer than each, and longer than the one before; the last for all beyond. */
  readonly #counts: number[] = Array(secondsMax.length + 1).fill(0);
  #sum = 0;

  constructor(labels: Labels) {
    this.#labels = labels;
  }

  observe(seconds: number): void {
    let at = 0;
    while (at < secondsMax.length && seconds > (secondsMax[at] as number)) at += 1;
    this.#counts[at] = (this.#counts[at] as number) + 1;
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
