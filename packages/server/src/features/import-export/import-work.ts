import type { Caller, Registry } from '../../kernel/registry.ts';
import type { Connection, UnnumberedTable } from '../../storage/query.ts';
import { planByIndex } from '../../storage/row-pages.ts';
import type { Tables } from '../../storage/tables.ts';
import type { ChangesToApproved } from '../apps/next-app.ts';
import { appendEvents, type Change } from '../events/append-event.ts';
import { settingsDuring } from '../settings/settings.ts';
import { ImportErrors } from './import-errors.ts';
import { emptySummary, type ImportInput, type ImportSummary } from './import-input.ts';
import type { ImportedRow } from './import-record.ts';
import type { ImportError } from './import-record-schema.ts';
import { ImportedObjects } from './imported-objects.ts';

/** The state of an import. */
export interface ImportWork {
  registry: Registry;
  caller: Caller;
  transaction: Connection;
  /** Whether a new app claims its name. */
  uniqueNames: boolean;
  /** The setting for changes to approved content. */
  changesToApproved: ChangesToApproved;
  /** What an app becomes that awaits review in the file; undefined if that too is imported. */
  pendingAs: 'DRAFT' | undefined;
  /** The objects of all records so far. */
  objects: ImportedObjects;
  /** The logos that the file says are blocked. */
  blockedLogos: Set<string>;
  errors: ImportErrors;
  summary: ImportSummary;
  /** By app: the stored installations that `installation_count` does not include yet; 0 if some only changed. */
  uncounted: Map<string, number>;
}

/** What an import keeps from one of its transactions to the next. */
export interface ImportState extends Pick<ImportWork, 'objects' | 'blockedLogos' | 'errors' | 'summary'> {
  /** How many records are stored. */
  records: number;
}

/** The state of an import before its first record. */
export function beginImport({ pendingAs, rejects }: ImportInput): ImportState {
  const objects = new ImportedObjects();
  const errors = new ImportErrors({ storesRest: rejects !== undefined });
  return { objects, blockedLogos: new Set(), errors, summary: emptySummary(pendingAs), records: 0 };
}

/** The state of a transaction of an import, before its first record. The transaction may be retried. */
export async function beginWork(
  transaction: Connection,
  { registry, caller, input }: { registry: Registry; caller: Caller; input: ImportInput },
  { objects, blockedLogos, errors, summary }: ImportState,
): Promise<ImportWork> {
  await planByIndex(transaction, registry.storage.engine);
  const { uniqueNames, changesToApproved } = await settingsDuring(transaction);
  return {
    ...{ registry, caller, transaction, uniqueNames, changesToApproved, pendingAs: input.pendingAs },
    ...{ objects, blockedLogos, errors: new ImportErrors(errors), summary: structuredClone(summary) },
    uncounted: new Map(),
  };
}

/** An error without its line number. */
export type LineError = Omit<ImportError, 'line'>;

/** A reference of the rows of a batch. */
export interface Reference<Row> {
  idOf: (row: Row) => string;
  /** Returns those of these ids that are stored. */
  list: (transaction: Connection, ids: string[]) => Promise<string[]>;
  error: LineError;
}

/** Partitions records by whether the object they refer to is stored. Missing objects are errors unless already reported. */
export async function resolveReference<Row, Item extends ImportedRow<Row>>(
  work: ImportWork,
  records: Item[],
  { idOf, list, error }: Reference<Row>,
): Promise<{ resolved: Item[]; dangling: Item[]; errors: ImportError[] }> {
  const stored = new Set(await list(work.transaction, [...new Set(records.map(({ row }) => idOf(row)))]));
  const dangling = records.filter(({ row }) => !stored.has(idOf(row)));
  return {
    resolved: dangling.length === 0 ? records : records.filter(({ row }) => stored.has(idOf(row))),
    dangling,
    errors: dangling.flatMap((record) => referenceErrors(work, record, { id: idOf(record.row), error })),
  };
}

/**
 * The error of a record that refers to an object that it cannot. Where that object was itself refused, its own error is
 * enough, unless the other records are stored: then this one could be, once that one is.
 */
export function referenceErrors(
  { objects, errors }: ImportWork,
  { line }: { line: number },
  { id, error }: { id: string; error: LineError },
): ImportError[] {
  if (!objects.isRefused(id)) return [{ line, ...error }];
  const detail = 'The object that this refers to was also refused. Correct that object first.';
  return errors.storesRest ? [{ line, pointer: error.pointer, code: 'not_found', detail, clashesWith: id }] : [];
}

/** Stores records, each with its events. Those that conflict with a stored row are returned as refused. */
export async function insertRecords<Table extends UnnumberedTable, Item extends ImportedRow<Tables[Table]>>(
  { registry, caller, transaction }: ImportWork,
  records: Item[],
  { table, toChanges }: { table: Table; toChanges: (record: Item) => Change[] },
): Promise<{ stored: Item[]; refused: Item[] }> {
  const conflicting = new Set(
    await transaction.insertNew(
      table,
      records.map(({ row }) => row),
    ),
  );
  const stored = records.filter(({ row }) => !conflicting.has(row));
  await appendEvents(transaction, { caller, at: registry.now(), changes: stored.flatMap(toChanges) });
  return { stored, refused: conflicting.size === 0 ? [] : records.filter(({ row }) => conflicting.has(row)) };
}

/** An existing row updated from a record: columns that are absent from the record retain their values. */
export function withStoredColumns<Row extends object>(stored: Row, { row, absentColumns }: ImportedRow<Row>): Row {
  return { ...row, ...Object.fromEntries(absentColumns.map((column) => [column, stored[column]])) };
}

/** The columns in which two rows differ. */
export function differingColumns<Row extends object>(before: Row, after: Row): (keyof Row)[] {
  const columns: (keyof Row)[] = [];
  for (const column in after) if (after[column] !== before[column]) columns.push(column);
  return columns;
}
