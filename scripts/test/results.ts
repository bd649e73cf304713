import { relative } from 'node:path';
import { styleText } from 'node:util';
import type { Result } from './reporter.ts';

/** The results of a group's processes: prints failures and progress as they come, and a summary. */
export class Results {
  readonly #group: string;
  readonly #print: (text: string) => void;
  readonly #startedAt = performance.now();
  readonly #msOfFiles = new Map<string, number>();
  readonly #failed: string[] = [];
  #passed = 0;
  #skipped = 0;
  #printedAt = performance.now();

  constructor(group: string, print: (text: string) => void = console.log) {
    this.#group = group;
    this.#print = print;
  }

  /** Returns a function that takes the results of one process in the order in which its tests end. */
  ofProcess(): (result: Result) => void {
    let names: string[] = [];
    let file = '';
    return (result) => {
      names = [...names.slice(0, result.nesting), result.name];
      // A group of tests may stand in another file than they do.
      if (!result.isSuite) file = relative(process.cwd(), result.file);
      // The time of what stands at the top of a file includes that of all within it, and of its hooks.
      if (result.nesting === 0) this.#msOfFiles.set(file, (this.#msOfFiles.get(file) ?? 0) + result.ms);
      if (result.isSuite) return;
      if (result.isSkipped) this.#skipped += 1;
      else if (result.failure === undefined) this.#passed += 1;
      else this.#fail(result, result.failure);
      this.#progress();
    };
  }

  /** How many files have had a result. */
  get files(): number {
    return this.#msOfFiles.size;
  }

  get hasFailed(): boolean {
    return this.#failed.length > 0;
  }

  print({ times }: { times: boolean }): void {
    if (times) {
      const files = [...this.#msOfFiles].toSorted(([, a], [, b]) => b - a);
      for (const [file, ms] of files) this.#print(`${seconds(ms).padStart(8)}  ${file}`);
    }
    for (const one of this.#failed) this.#print(`${styleText('red', 'failed')}  ${one}`);
    this.#print(`${this.#group}: ${this.#counts}, ${this.files} files in ${this.#elapsed}`);
  }

  #fail({ name, file, line }: Result, failure: string): void {
    const place = `${relative(process.cwd(), file)}:${line}  ${name}`;
    this.#failed.push(place);
    this.#print(`${styleText('red', 'failed')}  ${place}\n${failure}\n`);
  }

  #progress(): void {
    const now = performance.now();
    if (now - this.#printedAt < 10_000) return;
    this.#printedAt = now;
    this.#print(`${this.#group}: ${this.#counts} after ${this.#elapsed}`);
  }

  get #counts(): string {
    const skipped = this.#skipped > 0 ? `, ${this.#skipped} skipped` : '';
    return `${this.#passed} passed, ${this.#failed.length} failed${skipped}`;
  }

  get #elapsed(): string {
    return seconds(performance.now() - this.#startedAt);
  }
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
