import { send } from './send.ts';

/** The metrics that a registry exports to Prometheus. */
export class ScrapedMetrics {
  /** The value of each sample by its name and labels, as in `up{job="a"}`. */
  readonly #samples = new Map<string, number>();

  constructor(text: string) {
    for (const [, sample = '', value] of text.matchAll(/^([a-z]\w*(?:\{.*\})?) (\S+)$/gim)) {
      this.#samples.set(sample, Number(value));
    }
  }

  static async of({ port }: { port: number }): Promise<ScrapedMetrics> {
    const { text } = await send(`http://127.0.0.1:${port}`, { method: 'GET', path: '/metrics' });
    return new ScrapedMetrics(text);
  }

  value(sample: string): number | undefined {
    return this.#samples.get(sample);
  }

  /** The names of all samples, each with every label that any of its samples has. */
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
