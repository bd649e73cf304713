import type { ImportFault, ImportType } from '../contract/import-record.ts';
import type { AppRow, DeveloperRow, InstallationRow } from '../storage/tables.ts';
import type { ImportLine } from './import-lines.ts';
import { readImportRecord } from './import-record.ts';
import type { Registry } from './registry.ts';

/** A row and the line that it came from. */
export interface Placed<Row> {
  line: number;
  row: Row;
}

/** Lines that follow one another and are of one type, as far as they say so. */
export interface ImportBatch {
  type: ImportType | null;
  lines: number;
  developer: Placed<DeveloperRow>[];
  app: Placed<AppRow>[];
  installation: Placed<InstallationRow>[];
  /** Of lines that no row could be made of. */
  faults: ImportFault[];
  /** The developers and apps that those lines seem to be about. */
  brokenIds: string[];
}

const linesMax = 1_000;

/** Reads lines into batches. What comes in a later batch never has to be stored before an earlier one. */
export async function* importBatches(
  registry: Registry,
  lines: AsyncIterable<ImportLine>,
): AsyncGenerator<ImportBatch, undefined> {
  let batch = emptyBatch();
  for await (const line of lines) {
    const record = readImportRecord(registry, line);
    const isOtherType = batch.type !== null && record.type !== null && record.type !== batch.type;
    if (isOtherType || batch.lines === linesMax) {
      yield batch;
      batch = emptyBatch();
    }
    add(batch, record, line.number);
  }
  yield batch;
}

function emptyBatch(): ImportBatch {
  return { type: null, lines: 0, developer: [], app: [], installation: [], faults: [], brokenIds: [] };
}

function add(batch: ImportBatch, record: ReturnType<typeof readImportRecord>, line: number): void {
  batch.lines += 1;
  batch.type ??= record.type;
  if ('row' in record) {
    batch[record.type].push({ line, row: record.row } as never);
    return;
  }
  batch.faults.push(...record.faults.map((fault) => ({ line, ...fault })));
  if (record.id !== null) batch.brokenIds.push(record.id);
}
