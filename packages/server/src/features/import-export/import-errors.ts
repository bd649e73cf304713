import { Failure } from '../../kernel/failure.ts';
import type { ErrorExample, ImportError, ImportErrorGroup } from './import-record-schema.ts';
import type { ImportSummary } from './import-summary.ts';
import type { ImportedObjects } from './imported-objects.ts';
import { type RefusedRecord, refusedRecords } from './rejects/refused-records.ts';
import type { SourceRecord } from './source/source-record.ts';

const groupsMax = 500;
const examplesMax = 10;

/** Personal data, which the errors of an import never show. */
const personalPointers = new Set(['/email', '/firstName', '/lastName']);

/** Collects the errors of an import, grouped by kind: a bounded number of them. */
export class ImportErrors {
  readonly #objects: ImportedObjects;
  readonly #groups = new Map<string, ImportErrorGroup>();
  #count = 0;
  #records = 0;
  /** Whether the rest of the file could not be read. */
  #isCut = false;

  constructor(objects: ImportedObjects) {
    this.#objects = objects;
  }

  /** In the order of their first records. */
  get groups(): ImportErrorGroup[] {
    return [...this.#groups.values()];
  }

  /**
   * Adds errors in any order, of records after those of all previous calls. Returns the records that have them, in order.
   */
  add(errors: readonly ImportError[], sources: ReadonlyMap<number, SourceRecord>): RefusedRecord[] {
    if (errors.length === 0) return [];
    const refused = refusedRecords(errors, { sources, objects: this.#objects });
    this.#records += refused.length;
    for (const { source, errors: ofRecord } of refused) {
      this.#isCut ||= source.isLast ?? false;
      for (const error of ofRecord) this.#addOne(error, source);
    }
    return refused;
  }

  /** Adds those of later records. */
  addAll(later: ImportErrors): void {
    for (const group of later.groups) {
      const known = this.#groupOf(group, group);
      if (!known) continue;
      known.examples.push(...group.examples.slice(0, examplesMax - known.examples.length));
      known.count += group.count;
    }
    this.#count += later.#count;
    this.#records += later.#records;
  }

  /** Records an object that is not stored because its record, or one that it refers to, has an error. */
  addBroken(id: string): void {
    this.#objects.markRefused(id);
  }

  /** Whether an object is missing because of an error that is already reported (or may be, in a very long file). */
  isExplained(id: string): boolean {
    return this.#objects.isRefused(id);
  }

  /** With `storesRest`: how many records have errors, and which. */
  refused(storesRest: boolean): Pick<ImportSummary, 'refused'> {
    return storesRest ? { refused: { records: this.#records, errors: this.groups } } : {};
  }

  /** Throws if there are errors, unless the records without errors are stored, and all of the file could be read. */
  throwUnlessStored(storesRest: boolean, outcome = 'Nothing was changed.'): void {
    if (this.#count === 0 || (storesRest && !this.#isCut)) return;
    const count = this.#count === 1 ? 'One value' : `${this.#count} values`;
    throw new Failure('invalid_content', `${count} cannot be accepted. ${outcome}`, this.groups);
  }

  #addOne({ value, clashesWith, ...error }: RefusedRecord['errors'][number], { file, line }: SourceRecord): void {
    this.#count += 1;
    const example: ErrorExample = {
      ...(file !== undefined && { file }),
      line,
      ...(value !== undefined && !personalPointers.has(error.pointer) && { value }),
      ...(clashesWith && { clashesWith }),
    };
    const group = this.#groupOf(error, example);
    if (!group) return;
    group.count += 1;
    if (group.examples.length < examplesMax) group.examples.push(example);
  }

  /** Undefined if there are too many: names of unknown fields have no end. */
  #groupOf(
    { pointer, column, code, detail }: Pick<ImportErrorGroup, 'pointer' | 'column' | 'code' | 'detail'>,
    { file, line }: Pick<ImportErrorGroup, 'file' | 'line'>,
  ): ImportErrorGroup | undefined {
    const key = JSON.stringify([file, pointer, code, detail]);
    const known = this.#groups.get(key);
    if (known || this.#groups.size >= groupsMax) return known;
    const group = {
      ...(file !== undefined && { file }),
      line,
      ...(column !== undefined && { column }),
      pointer,
      code,
      detail,
      count: 0,
      examples: [],
    };
    this.#groups.set(key, group);
    return group;
  }
}
