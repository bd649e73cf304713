import { SeededRandom } from '../../scripts/seeded-random.ts';
import type { Source } from './mutant.ts';

interface RunParts {
  seed: number;
  source: Source;
  options: Record<string, number | string>;
}

/** One run of a program: its draws, its options, and what is undone at its end. */
export class Run {
  readonly seed: number;
  /** What the service under test runs from. */
  readonly source: Source;
  readonly #options: Record<string, number | string>;
  readonly #undoing: (() => unknown)[] = [];

  constructor({ seed, source, options }: RunParts) {
    this.seed = seed;
    this.source = source;
    this.#options = options;
  }

  number(option: string): number {
    return Number(this.#options[option]);
  }

  text(option: string): string {
    return String(this.#options[option]);
  }

  /** Each topic has draws of its own, which another topic does not move. */
  random(topic: string, index = 0): SeededRandom {
    return new SeededRandom(this.seed, topic, index);
  }

  /** Has something undone at the end of the run, however it ends; the latest first. */
  atEnd(undo: () => unknown): void {
    this.#undoing.push(undo);
  }

  /** For who watches. */
  say(text: string): void {
    process.stderr.write(`  ${text}\n`);
  }

  async end(): Promise<void> {
    for (const undo of this.#undoing.reverse()) await undo();
    this.#undoing.length = 0;
  }
}
