import { Failure } from '../../kernel/failure.ts';
import type { ValidationError } from '../../kernel/problem-details.ts';
import type { ImportSummary, SourceRecord } from './import-input.ts';
import type { Clash, ErrorExample, ImportError, ImportErrorGroup } from './import-record-schema.ts';
import type { ImportedObjects } from './imported-objects.ts';
import { shortened } from './read-records.ts';

const groupsMax = 500;
const examplesMax = 10;

/** Personal data, which the errors of an import never show. */
const personalPointers = new Set(['/email', '/firstName', '/lastName']);

/** Collects the errors of an import, grouped by kind: a bounded number of them. */
export class ImportErrors {
  /** Whether records without errors are stored beside those that have some. */
  readonly storesRest: boolean;
  readonly #groups = new Map<string, ImportErrorGroup>();
  #count = 0;
  #records = 0;
  /** Whether the rest of the file could not be read. */
  #isCut = false;

  constructor({ storesRest }: { storesRest: boolean }) {
    this.storesRest = storesRest;
  }

  /** In the order of their first records. */
  get groups(): ImportErrorGroup[] {
    return [...this.#groups.values()];
  }

  /** Adds the errors of records that follow those of all previous calls. */
  add(refused: RefusedRecord[]): void {
    this.#records += refused.length;
    for (const { source, errors } of refused) {
      this.#isCut ||= source.isLast ?? false;
      for (const error of errors) this.#addOne(error, source);
    }
  }

  /** How many records have errors, and which, if the others are stored. */
  refused(): Pick<ImportSummary, 'refused'> {
    return this.storesRest ? { refused: { records: this.#records, errors: this.groups } } : {};
  }

  /** Throws if there are errors, unless the records without errors are stored, and all of the file could be read. */
  throwUnlessStored(outcome: string): void {
    if (this.#count === 0 || (this.storesRest && !this.#isCut)) return;
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
    { pointer, column, code, detail }: RefusedError,
    { file, line }: ErrorExample,
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

const valueLengthMax = 200;

interface RefusedError extends ValidationError {
  /** The column of a CSV file that the field is read from. */
  column?: string;
  /** Absent if the record has none, or a long one. */
  value?: unknown;
  clashesWith?: Clash;
}

/** A record of the file with all of its errors. */
export interface RefusedRecord {
  source: SourceRecord;
  errors: RefusedError[];
}

/** The records that these errors are of, in the order of their lines. */
export function refusedRecords(
  errors: readonly ImportError[],
  { sources, objects }: { sources: ReadonlyMap<number, SourceRecord>; objects: ImportedObjects },
): RefusedRecord[] {
  const byLine = [...Map.groupBy(errors, ({ line }) => line)].toSorted(([one], [other]) => one - other);
  return byLine.map(([line, ofLine]) => {
    const source = sources.get(line) ?? { line, value: undefined, errors: [], bytes: 0 };
    return { source, errors: ofLine.map((error) => refusedError(source, objects, error)) };
  });
}

function refusedError(
  source: SourceRecord,
  objects: ImportedObjects,
  { line: _, clashesWith: id, ...error }: ImportError,
): RefusedError {
  const column = source.columns?.get(error.pointer);
  const value = shownValue(source.cellOf?.(error.pointer) ?? valueAt(source.value, error.pointer));
  return {
    ...error,
    ...(column !== undefined && { column }),
    ...(value !== undefined && { value }),
    ...(id !== undefined && { clashesWith: clashWith(id, objects) }),
  };
}

function clashWith(id: string, objects: ImportedObjects): Clash {
  // An installation that is known by its app and workspace has no id yet.
  return { ...(!id.includes(' ') && { id }), ...objects.placeOf(id) };
}

/** The value that a JSON Pointer names (RFC 6901). */
function valueAt(value: unknown, pointer: string): unknown {
  if (pointer === '') return undefined;
  let found = value;
  for (const part of pointer.slice(1).split('/')) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as Record<string, unknown>)[name];
  }
  return found;
}

function shownValue(value: unknown): unknown {
  // An empty cell is an absent value.
  if (value === '' || (typeof value === 'object' && value !== null)) return undefined;
  return typeof value === 'string' ? shortened(value, valueLengthMax) : value;
}

/**
 * Refused records as JSON Lines that can be imported once they are corrected. `rejected` says where a record was read and
 * what is wrong with it, and is ignored by that import. Cells that could not be read are left as they were.
 */
export function rejectedLines(refused: RefusedRecord[]): string {
  return refused.map((record) => `${JSON.stringify(rejectedLine(record))}\n`).join('');
}

function rejectedLine({ source, errors }: RefusedRecord): object {
  const { file, line, value, text } = source;
  const rejected = {
    ...(file !== undefined && { file }),
    line,
    errors,
    ...(value === undefined && text !== undefined && { text }),
  };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { rejected };
  const repeated = errors.flatMap((error) => (source.isOnly && isRepetition(error) ? error.pointer.slice(1) : []));
  return { ...value, ...Object.fromEntries(repeated.map((field) => [field, undefined])), rejected };
}

/** Without this field the record is incomplete: as it is, it would update the object that an earlier line describes. */
function isRepetition({ pointer, code }: ValidationError): boolean {
  return code === 'already_exists' && ['/id', '/userId', '/workspaceId'].includes(pointer);
}
