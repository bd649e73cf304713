import type { ImportError } from '../../contract/import-record.ts';
import { Failure, throwIfInvalid } from '../failure.ts';

const listedMax = 1_000;
const brokenIdsMax = 100_000;

/** Gathers the faults of an import. However bad the file is, it holds a bounded number of them. */
export class ImportErrors {
  readonly #listed: ImportError[] = [];
  readonly #brokenIds = new Set<string>();
  #count = 0;

  /** Whether faults are only counted from now on. */
  get full(): boolean {
    return this.#count >= listedMax;
  }

  /** Takes the faults of some lines, in any order, that stand after all lines before. */
  add(faults: readonly ImportError[]): void {
    const inOrder = faults.toSorted((one, other) => one.line - other.line);
    this.#listed.push(...inOrder.slice(0, listedMax - this.#listed.length));
    this.#count += faults.length;
  }

  /** Remembers an object that is not stored because of a fault on its line, or on one it needs. */
  addBroken(id: string): void {
    if (!this.#isForgetful()) this.#brokenIds.add(id);
  }

  /** Whether a missing object is missing for a fault that is told already (or may be, in a long list). */
  excuses(id: string): boolean {
    return this.#isForgetful() || this.#brokenIds.has(id);
  }

  /** Refuses the import if it has any fault. */
  refuse(): void {
    if (this.#count > this.#listed.length || this.#isForgetful()) {
      throw new Failure(
        'invalid_content',
        `The file has at least ${this.#count} faults, and the first ${this.#listed.length} are told here. Nothing was changed. Correct these and import again.`,
        this.#listed,
      );
    }
    throwIfInvalid(this.#listed);
  }

  #isForgetful(): boolean {
    return this.full || this.#brokenIds.size >= brokenIdsMax;
  }
}
