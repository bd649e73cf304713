import type { Registry } from '../../kernel/registry.ts';
import type { AppRow, DeveloperRow, LogoRow } from '../../storage/tables.ts';
import type { SourceRecord } from './import-input.ts';
import {
  type ImportRow,
  type InvalidRecord,
  type ParsedDeletedApp,
  type ParsedInstallation,
  type ParsedRecord,
  readImportRecord,
} from './import-record.ts';
import { type ImportError, lineBytesMax } from './import-record-schema.ts';
import type { ImportedObjects } from './imported-objects.ts';

/** A parsed record and the number of its line. */
export interface NumberedRecord<Row> extends ParsedRecord<Row> {
  line: number;
  /** Whether it is an app that awaits review in the file, and not here (`import-drafts.ts`). */
  isSubmissionOmitted?: boolean;
}

export type NumberedDeletedApp = ParsedDeletedApp & { line: number };
export type NumberedInstallation = ParsedInstallation & { line: number };

/** Successive records of one type (as far as it is known), each of a different object. */
export interface ImportBatch {
  type: ImportRow['type'] | null;
  developer: NumberedRecord<DeveloperRow>[];
  logo: NumberedRecord<LogoRow>[];
  app: NumberedRecord<AppRow>[];
  deletedApp: NumberedDeletedApp[];
  installation: NumberedInstallation[];
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
    if (isFull(batch) || isOther(batch, record) || keysOf(record).some((key) => batch.keys.has(key))) {
      yield batch;
      batch = emptyBatch();
    }
    add(batch, record, source);
  }
  yield batch;
}

function isFull({ type, sources, bytes }: ImportBatch): boolean {
  return sources.size >= recordsMax[type ?? 'app'] || bytes >= lineBytesMax;
}

function isOther(batch: ImportBatch, { type }: ImportRow | InvalidRecord): boolean {
  return batch.type !== null && type !== null && type !== batch.type;
}

/** Remembers the line of the object. One of CSV that is described twice is invalid: nothing says which line is right. */
function onlyOne(
  record: ImportRow | InvalidRecord,
  { source, objects }: { source: SourceRecord; objects: ImportedObjects },
): ImportRow | InvalidRecord {
  const id = 'row' in record ? identityOf(record, source) : record.id;
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

/** How an object is remembered. There are too many installations, except where each of them must be another one. */
function identityOf(record: ImportRow, { isOnly }: SourceRecord): string | null {
  if (record.type === 'developer') return record.row.user_id;
  if (record.type !== 'installation') return record.row.id;
  return isOnly ? installationKey(record.row) : null;
}

function installationKey({ app_id, workspace_id }: { app_id: string; workspace_id: string }): string {
  return `${app_id} ${workspace_id}`;
}

function emptyBatch(): ImportBatch {
  return {
    type: null,
    developer: [],
    logo: [],
    app: [],
    deletedApp: [],
    installation: [],
    errors: [],
    keys: new Set(),
    brokenIds: [],
    sources: new Map(),
    bytes: 0,
  };
}

function keysOf(record: ImportRow | InvalidRecord): string[] {
  if (!('row' in record)) return [];
  if (record.type === 'developer') return [record.row.user_id];
  if (record.type !== 'installation') return [record.row.id];
  return [record.row.id, installationKey(record.row)];
}

function add(batch: ImportBatch, record: ImportRow | InvalidRecord, source: SourceRecord): void {
  const { line } = source;
  batch.sources.set(line, source);
  batch.bytes += source.bytes;
  batch.type ??= record.type;
  if ('row' in record) {
    addRow(batch, record, line);
    for (const key of keysOf(record)) batch.keys.add(key);
    return;
  }
  batch.errors.push(...record.errors.map((error) => ({ line, ...error, pointer: shortened(error.pointer) })));
  if (record.id !== null) batch.brokenIds.push(record.id);
}

/** The name of an unknown field can be as long as its line. A copy: a part of a string keeps all of it in memory. */
function shortened(pointer: string): string {
  return pointer.length <= pointerMax ? pointer : `${Buffer.from(pointer.slice(0, pointerMax)).toString()}…`;
}

function addRow(batch: ImportBatch, record: ImportRow, line: number): void {
  switch (record.type) {
    case 'developer':
      batch.developer.push({ line, ...record });
      break;
    case 'logo':
      batch.logo.push({ line, ...record });
      break;
    case 'app':
      batch.app.push({ line, ...record });
      break;
    case 'deletedApp':
      batch.deletedApp.push({ line, ...record });
      break;
    case 'installation':
      batch.installation.push({ line, ...record });
  }
}
