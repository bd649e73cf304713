/** What a registry tells Prometheus. */
export class ScrapedMetrics {
  /** Of each sample its name and labels, as in `up{job="a"}`, and its value. */
  readonly #samples = new Map<string, number>();

  constructor(text: string) {
    for (const [, sample = '', value] of text.matchAll(/^([a-z]\w*(?:\{.*\})?) (\S+)$/gim)) {
      this.#samples.set(sample, Number(value));
    }
  }

  static async of({ port }: { port: number }): Promise<ScrapedMetrics> {
    const response = await fetch(`http://127.0.0.1:${port}/metrics`);
    return new ScrapedMetrics(await response.text());
  }

  value(sample: string): number | undefined {
    return this.#samples.get(sample);
  }

  /** The names of all samples, with the labels that each has somewhere. */
  labels(): Map<string, Set<string>> {
    const labels = new Map<string, Set<string>>();
    for (const sample of this.#samples.keys()) {
      const [name = ''] = sample.split('{', 1);
      const known = labels.get(name) ?? new Set();
      for (const [, label = ''] of sample.matchAll(/[{,](\w+)="/g)) known.add(label);
      labels.set(name, known);
    }
    return labels;
  }
}
