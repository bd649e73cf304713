import { SeededRandom } from '../../scripts/seeded-random.ts';
import type { Source } from './defect.ts';

interface RunParts {
  seed: number;
  source: Source;
  options: Record<string, number | string>;
}

/** One run of a program: its random numbers, its options and its cleanup. */
export class Run {
  readonly seed: number;
  /** The source of the service under test. */
  readonly source: Source;
  readonly #options: Record<string, number | string>;
  readonly #cleanups: (() => unknown)[] = [];

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

  /** Each topic draws its own random numbers, independent of other topics. */
  random(topic: string, index = 0): SeededRandom {
    return new SeededRandom(this.seed, topic, index);
  }

  /** Registers cleanup for the end of the run, however it ends. The last registered runs first. */
  atEnd(cleanup: () => unknown): void {
    this.#cleanups.push(cleanup);
  }

  /** Prints progress. */
  log(text: string): void {
    process.stderr.write(`  ${text}\n`);
  }

  async end(): Promise<void> {
    for (const cleanup of this.#cleanups.reverse()) await cleanup();
    this.#cleanups.length = 0;
  }
}
