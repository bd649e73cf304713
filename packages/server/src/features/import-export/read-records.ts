import type { ValidationError } from '../../kernel/problem-details.ts';
import type { Registry } from '../../kernel/registry.ts';
import { readCsvFiles } from './csv/read-csv.ts';
import type { ImportInput, SourceRecord } from './import-input.ts';
import { type ImportRow, type InvalidRecord, readImportRecord } from './import-record.ts';
import { errorOfAll, type ImportError, lineBytesMax } from './import-record-schema.ts';
import type { ImportedObjects } from './imported-objects.ts';

/** Distinguishes an error of the stream from those of the storage, which would classify it as its own. */
export class StreamError extends Error {}

/** Reads all records of an import, in the order in which they are stored. */
export async function* readRecords(registry: Registry, input: ImportInput): AsyncGenerator<SourceRecord> {
  const { onProgress } = input;
  let [bytes, records] = [0, 0];
  async function* chunksOf(open: () => AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of withStreamError(open)) {
      yield chunk;
      bytes += chunk.length;
      onProgress?.(bytes, records);
    }
  }
  const read = 'csv' in input ? readCsvFiles(registry, input.csv, chunksOf) : readJsonLines(chunksOf(input.open));
  for await (const record of read) {
    records += 1;
    yield record;
  }
}

async function* withStreamError(open: () => AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* open();
  } catch (error) {
    throw new StreamError('the stream failed', { cause: error });
  }
}

const lineFeed = 0x0a;

/**
 * Reads JSON Lines, one record a line. Blank lines are none. Holds one chunk and one line in memory. A line that is too long
 * is the last one: what follows may have no end.
 */
async function* readJsonLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<SourceRecord> {
  let line = 1;
  let parts: Uint8Array[] = [];
  let length = 0;
  const takeLine = () => {
    const record = toRecord(line, parts);
    [line, parts, length] = [line + 1, [], 0];
    return record;
  };
  for await (const chunk of chunks) {
    for (let start = 0; start < chunk.length; ) {
      const found = chunk.indexOf(lineFeed, start);
      const end = found === -1 ? chunk.length : found;
      parts.push(chunk.subarray(start, end));
      length += end - start;
      start = end + 1;
      if (found === -1 && length <= lineBytesMax) continue;
      const record = takeLine();
      if (record) yield record;
      if (record?.isLast) return;
    }
  }
  const record = takeLine();
  if (record) yield record;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Null if the line is blank. */
function toRecord(line: number, parts: Uint8Array[]): SourceRecord | null {
  const [first, ...others] = parts;
  const bytes = first && others.length === 0 ? first : Buffer.concat(parts);
  if (bytes.length > lineBytesMax) return unreadable(line, Buffer.from(bytes).toString(), tooLong);
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return unreadable(line, Buffer.from(bytes).toString(), notUtf8);
  }
  if (/^[ \t\r]*$/.test(text)) return null;
  try {
    return { line, value: JSON.parse(text), errors: [], bytes: text.length };
  } catch {
    return unreadable(line, text, notJson);
  }
}

function unreadable(line: number, text: string, error: ValidationError): SourceRecord {
  return { line, value: undefined, errors: [error], bytes: text.length, text, isLast: error === tooLong };
}

const tooLong = errorOfAll(
  'too_long',
  `The line must have at most ${lineBytesMax} bytes. The rest of the file was not read.`,
);
const notUtf8 = errorOfAll('invalid_format', 'The line must be UTF-8.');
const notJson = errorOfAll('invalid_format', 'The line must be one JSON object (RFC 8259).');

/** Reads the next batch while one is stored: on another processor, if that is what PostgreSQL has. */
export async function* bufferNextBatch<Batch>(
  batches: AsyncGenerator<Batch, undefined>,
): AsyncGenerator<Batch, undefined> {
  let next = batches.next();
  try {
    for (;;) {
      const { value, done } = await next;
      if (done) return;
      next = batches.next();
      // Handled when it is awaited.
      next.catch(() => {});
      yield value;
    }
  } finally {
    await next.catch(() => {});
    await batches.return(undefined);
  }
}

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
