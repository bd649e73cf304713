import type { ImportError } from '../../contract/import-record.ts';
import type { AppRow, DeveloperRow, LogoRow } from '../../storage/tables.ts';
import type { Registry } from '../registry.ts';
import type { ImportLine } from './import-lines.ts';
import { type FaultyRecord, readImportRecord } from './import-record.ts';
import type { CommandResult, ImportRow, SaidDeletedApp, SaidInstallation } from './import-row.ts';

/** A row and the line that it came from. */
export interface Placed<Row> extends CommandResult<Row> {
  line: number;
}

export type PlacedDeletedApp = SaidDeletedApp & { line: number };
export type PlacedInstallation = SaidInstallation & { line: number };

/** Lines that follow one another, are of one type, as far as they say so, and each about another object. */
export interface ImportBatch {
  type: ImportRow['type'] | null;
  lines: number;
  developer: Placed<DeveloperRow>[];
  logo: Placed<LogoRow>[];
  app: Placed<AppRow>[];
  deletedApp: PlacedDeletedApp[];
  installation: PlacedInstallation[];
  /** Of lines that no row could be made of. */
  faults: ImportError[];
  /** What names the objects of the rows. */
  keys: Set<string>;
  /** The developers, logos and apps that those lines seem to be about. */
  brokenIds: string[];
}

/** Logos are large. */
const linesMax = { developer: 1_000, logo: 8, app: 1_000, deletedApp: 1_000, installation: 1_000 };

/** Reads lines into batches. What comes in a later batch never has to be stored before an earlier one. */
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
    faults: [],
    keys: new Set(),
    brokenIds: [],
  };
}

function keysOf(record: ImportRow | FaultyRecord): string[] {
  if (!('row' in record)) return [];
  if (record.type === 'developer') return [record.row.user_id];
  if (record.type !== 'installation') return [record.row.id];
  return [record.row.id, `${record.row.app_id} ${record.row.workspace_id}`];
}

function add(batch: ImportBatch, record: ImportRow | FaultyRecord, line: number): void {
  batch.lines += 1;
  batch.type ??= record.type;
  if ('row' in record) {
    const { type, ...said } = record;
    batch[type].push({ line, ...said } as never);
    for (const key of keysOf(record)) batch.keys.add(key);
    return;
  }
  batch.faults.push(...record.faults.map((fault) => ({ line, ...fault })));
  if (record.id !== null) batch.brokenIds.push(record.id);
}
