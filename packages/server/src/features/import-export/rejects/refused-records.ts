import type { ValidationError } from '../../../kernel/problem-details.ts';
import type { Clash, ImportError } from '../import-record-schema.ts';
import type { ImportedObjects } from '../imported-objects.ts';
import type { SourceRecord } from '../source/source-record.ts';

const valueLengthMax = 200;

export interface RefusedError extends ValidationError {
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
  const value = shortened(source.cellOf?.(error.pointer) ?? valueAt(source.value, error.pointer));
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

function shortened(value: unknown): unknown {
  // An empty cell is an absent value.
  if (value === '' || (typeof value === 'object' && value !== null)) return undefined;
  if (typeof value !== 'string' || value.length <= valueLengthMax) return value;
  // A copy: a part of a string keeps all of it in memory.
  return `${Buffer.from(value.slice(0, valueLengthMax)).toString()}…`;
}
