import type { ImportError } from '../../contract/import-record.ts';
import type { AppRow, DeveloperRow, LogoRow } from '../../storage/tables.ts';
import type { Registry } from '../registry.ts';
import type { ImportLine } from './import-lines.ts';
import { type InvalidRecord, readImportRecord } from './import-record.ts';
import type { ImportRow, ParsedDeletedApp, ParsedInstallation, ParsedRecord } from './import-row.ts';

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
  lines: number;
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
}

/** Batches of logos are small, as logos are large. */
const linesMax = { developer: 1_000, logo: 8, app: 1_000, deletedApp: 1_000, installation: 1_000 };

const pointerMax = 200;

/** Reads lines into batches, which are to be stored in order. */
export async function* importBatches(
  registry: Registry,
  lines: AsyncIterable<ImportLine>,
): AsyncGenerator<ImportBatch, undefined> {
  let batch = emptyBatch();
  for await (const line of lines) {
    const record = readImportRecord(registry, line);
    const isOtherType = batch.type !== null && record.type !== null && record.type !== batch.type;
    const isFull = batch.lines >= linesMax[batch.type ?? 'app'];
    if (isOtherType || isFull || keysOf(record).some((key) => batch.keys.has(key))) {
      yield batch;
      batch = emptyBatch();
    }
    add(batch, record, line.number);
  }
  yield batch;
}

function emptyBatch(): ImportBatch {
  return {
    type: null,
    lines: 0,
    developer: [],
    logo: [],
    app: [],
    deletedApp: [],
    installation: [],
    errors: [],
    keys: new Set(),
    brokenIds: [],
  };
}

function keysOf(record: ImportRow | InvalidRecord): string[] {
  if (!('row' in record)) return [];
  if (record.type === 'developer') return [record.row.user_id];
  if (record.type !== 'installation') return [record.row.id];
  return [record.row.id, `${record.row.app_id} ${record.row.workspace_id}`];
}

function add(batch: ImportBatch, record: ImportRow | InvalidRecord, line: number): void {
  batch.lines += 1;
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
