import type { Registry } from '../../kernel/registry.ts';
import type { SourceRecord } from './import-input.ts';
import { type ImportRow, type InvalidRecord, readImportRecord } from './import-record.ts';
import { type ImportError, lineBytesMax } from './import-record-schema.ts';
import type { ImportedObjects } from './imported-objects.ts';

/** Successive records of one type (as far as it is known), each of a different object. */
export interface ImportBatch {
  type: ImportRow['type'] | null;
  rows: ImportRow[];
  /** The errors of invalid records. */
  errors: ImportError[];
  /** Identifies the objects of the rows. */
  keys: Set<string>;
  /** The ids of developers, logos and apps in invalid records. */
  brokenIds: string[];
  /** By line: what was read, of one file. */
  sources: Map<number, SourceRecord>;
  /** How much of the file they are. */
  bytes: number;
}

/** Batches of logos are small, as logos are large. */
const recordsMax = { developer: 1_000, logo: 8, app: 1_000, deletedApp: 1_000, installation: 1_000 };

const pointerMax = 200;

/** Reads records into batches, which are to be stored in order. */
export async function* importBatches(
  registry: Registry,
  sources: AsyncIterable<SourceRecord>,
  objects: ImportedObjects,
): AsyncGenerator<ImportBatch, undefined> {
  let batch = emptyBatch();
  for await (const source of sources) {
    const record = onlyOne(readImportRecord(registry, source), { source, objects });
    const isFull = batch.sources.size >= recordsMax[batch.type ?? 'app'] || batch.bytes >= lineBytesMax;
    const isOther = batch.type !== null && record.type !== null && record.type !== batch.type;
    if (isFull || isOther || recordKeys(record).some((key) => batch.keys.has(key))) {
      yield batch;
      batch = emptyBatch();
    }
    add(batch, record, source);
  }
  yield batch;
}

/** Remembers the line of the object. One of CSV that is described twice is invalid: nothing says which line is right. */
function onlyOne(
  record: ImportRow | InvalidRecord,
  { source, objects }: { source: SourceRecord; objects: ImportedObjects },
): ImportRow | InvalidRecord {
  // There are too many installations to remember, except where each of them must be another one.
  const ids = source.isOnly || record.type !== 'installation' ? recordKeys(record) : [];
  const id = 'row' in record ? (ids.at(-1) ?? null) : record.id;
  const earlier = id === null ? undefined : objects.add(id, source);
  if (earlier === undefined || id === null || !source.isOnly || !('row' in record)) return record;
  const { type } = record;
  const pointer = type === 'installation' ? '/workspaceId' : type === 'developer' ? '/userId' : '/id';
  const detail =
    type === 'installation'
      ? 'An earlier line already installs the app in this workspace.'
      : 'An earlier line has the same id.';
  // Refused without its id: the object of the earlier line is not.
  return {
    type: type === 'deletedApp' ? 'app' : type,
    errors: [{ pointer, code: 'already_exists', detail, clashesWith: id }],
    id: null,
  };
}

function emptyBatch(): ImportBatch {
  return { type: null, rows: [], errors: [], keys: new Set(), brokenIds: [], sources: new Map(), bytes: 0 };
}

/** What identifies the object of a record; of an installation also the app in the workspace. */
function recordKeys(record: ImportRow | InvalidRecord): string[] {
  if (!('row' in record)) return [];
  if (record.type === 'developer') return [record.row.user_id];
  if (record.type !== 'installation') return [record.row.id];
  return [record.row.id, `${record.row.app_id} ${record.row.workspace_id}`];
}

function add(batch: ImportBatch, record: ImportRow | InvalidRecord, source: SourceRecord): void {
  const { line } = source;
  batch.sources.set(line, source);
  batch.bytes += source.bytes;
  batch.type ??= record.type;
  if ('row' in record) {
    batch.rows.push(record);
    for (const key of recordKeys(record)) batch.keys.add(key);
    return;
  }
  // The name of an unknown field can be as long as its line.
  const shown = record.errors.map((error) => ({ ...error, pointer: shortened(error.pointer, pointerMax) }));
  batch.errors.push(...shown.map((error) => ({ line, ...error })));
  if (record.id !== null) batch.brokenIds.push(record.id);
}

/** The start of a longer text. A copy, because a part of a string keeps all of it in memory. */
export function shortened(text: string, lengthMax: number): string {
  return text.length <= lengthMax ? text : `${Buffer.from(text.slice(0, lengthMax)).toString()}…`;
}
