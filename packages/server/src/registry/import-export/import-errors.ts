import type { ImportError } from '../../contract/import-record.ts';
import { Failure, throwIfInvalid } from '../failure.ts';

const listedMax = 1_000;
const brokenIdsMax = 100_000;

/** Collects the errors of an import, up to a bounded number. */
export class ImportErrors {
  readonly #listed: ImportError[] = [];
  readonly #brokenIds = new Set<string>();
  #count = 0;

  /** Whether further errors are only counted. */
  get full(): boolean {
    return this.#count >= listedMax;
  }

  /** Adds errors in any order, of lines after those of all previous calls. */
  add(errors: readonly ImportError[]): void {
    const inOrder = errors.toSorted((one, other) => one.line - other.line);
    this.#listed.push(...inOrder.slice(0, listedMax - this.#listed.length));
    this.#count += errors.length;
  }

  /** Records an object that is not stored because its record, or one that it refers to, has an error. */
  addBroken(id: string): void {
    if (!this.#isIncomplete()) this.#brokenIds.add(id);
  }

  /** Whether an object is missing because of an error that is already reported (or may be, in a long list). */
  isExplained(id: string): boolean {
    return this.#isIncomplete() || this.#brokenIds.has(id);
  }

  /** Throws if there are errors. */
  throwIfAny(): void {
    if (this.#count > this.#listed.length || this.#isIncomplete()) {
      throw new Failure(
        'invalid_content',
        `The file has at least ${this.#count} errors, of which the first ${this.#listed.length} are listed. Nothing was changed. Correct these and import again.`,
        this.#listed,
      );
    }
    throwIfInvalid(this.#listed);
  }

  #isIncomplete(): boolean {
    return this.full || this.#brokenIds.size >= brokenIdsMax;
  }
}
