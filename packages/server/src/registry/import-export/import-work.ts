import type { ImportError } from '../../contract/import-record.ts';
import type { Connection } from '../../storage/query.ts';
import type { Tables } from '../../storage/tables.ts';
import { type Change, insertEvents, toEventRow } from '../events/append-event.ts';
import type { Caller, Registry } from '../registry.ts';
import type { Placed } from './import-batch.ts';
import type { ImportErrors } from './import-errors.ts';

/** What became of the lines of one type. */
export interface ImportCounts {
  created: number;
  updated: number;
  unchanged: number;
}

export interface ImportSummary {
  developers: ImportCounts;
  logos: ImportCounts;
  apps: ImportCounts;
  installations: ImportCounts;
}

/** One import under way. */
export interface ImportWork {
  registry: Registry;
  caller: Caller;
  transaction: Connection;
  faults: ImportErrors;
  summary: ImportSummary;
  /** By app: the installations that are stored and that `installation_count` does not count yet; 0 if some changed. */
  uncounted: Map<string, number>;
}

/** A fault of a line, whose number is known elsewhere. */
export type LineError = Omit<ImportError, 'line'>;

/** What the rows of a batch refer to. */
export interface Reference<Row> {
  idOf: (row: Row) => string;
  /** Those of these ids that are stored. */
  list: (transaction: Connection, ids: string[]) => Promise<string[]>;
  fault: LineError;
}

/** Sorts rows by whether what they refer to is stored. A missing object is told unless it is told already. */
export async function resolveReference<Row, Line extends Placed<Row>>(
  { transaction, faults }: ImportWork,
  placed: Line[],
  { idOf, list, fault }: Reference<Row>,
): Promise<{ whole: Line[]; dangling: Line[]; faults: ImportError[] }> {
  const stored = new Set(await list(transaction, [...new Set(placed.map(({ row }) => idOf(row)))]));
  const dangling = placed.filter(({ row }) => !stored.has(idOf(row)));
  return {
    whole: dangling.length === 0 ? placed : placed.filter(({ row }) => stored.has(idOf(row))),
    dangling,
    faults: dangling.filter(({ row }) => !faults.excuses(idOf(row))).map(({ line }) => ({ line, ...fault })),
  };
}

/** Stores rows, each with its event. Those that meet a stored row are left out and returned. */
export async function insertPlaced<Table extends keyof Tables, Line extends Placed<Tables[Table]>>(
  { registry, caller, transaction }: ImportWork,
  placed: Line[],
  { table, toChange }: { table: Table; toChange: (line: Line) => Change },
): Promise<{ stored: Line[]; refused: Line[] }> {
  const left = new Set(
    await transaction.insertNew(
      table,
      placed.map(({ row }) => row),
    ),
  );
  const stored = placed.filter(({ row }) => !left.has(row));
  const at = registry.now();
  await insertEvents(
    transaction,
    stored.map((line) => toEventRow({ caller, at, ...toChange(line) })),
  );
  return { stored, refused: left.size === 0 ? [] : placed.filter(({ row }) => left.has(row)) };
}

/** What a line makes of an object that exists: it keeps what the line does not tell. */
export function kept<Row extends object>(stored: Row, { row, unsaid }: Placed<Row>): Row {
  return { ...row, ...Object.fromEntries(unsaid.map((column) => [column, stored[column]])) };
}

/** The columns in which two rows differ. */
export function changedColumns<Row extends object>(before: Row, after: Row): (keyof Row)[] {
  return (Object.keys(after) as (keyof Row)[]).filter((column) => after[column] !== before[column]);
}
