import { DatabaseSync } from 'node:sqlite';
import { isBusy } from './failure.ts';

/** Longest wait for a lock: while opening, and for a reader while another process recovers the log of a killed one. */
const waitMsMax = 10_000;
/** Changed pages that one write may hold in memory. With less, the pages of an import are written out and reread. */
const writerSpillKib = 65_536;

interface WriterSettings {
  cacheKib: number;
  /** Length of the log at which SQLite checkpoints it into the file, which blocks the process. */
  checkpointPages: number;
  /** An import makes the log as long as what it writes; the next write truncates it to this size. */
  logBytesMax: number;
}

/**
 * Below a gigabyte, SQLite scans its complete cache at almost every commit: half a millisecond with 64 MB. It
 * moves pages through the page at one gigabyte, and then drops all pages above the end.
 */
const shortWriter: WriterSettings = { cacheKib: 16_384, checkpointPages: 1_000, logBytesMax: 16_777_216 };
/**
 * Updates of a larger database write to pages further apart. With this cache, an update uses a sixth less CPU.
 * With this log, an app that is updated repeatedly is checkpointed once, not each time: an update writes 4.5 pages
 * instead of 8. A checkpoint blocks the process for 30 ms instead of 10 ms.
 */
const longWriter: WriterSettings = { cacheKib: 65_536, checkpointPages: 16_000, logBytesMax: 100_663_296 };
/** One gigabyte. */
const longPages = 262_144;

/** Opens a file, or `:memory:`, with everything that storage relies on. */
export function openSqliteDatabase(location: string, { readOnly }: { readOnly: boolean }): DatabaseSync {
  const database = new DatabaseSync(location, { readOnly, timeout: waitMsMax });
  try {
    setUp(database, location, readOnly);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Whether a file holds a registry. Changes nothing in a database of another program. */
export function holdsRegistry(location: string): boolean {
  const database = new DatabaseSync(location, { timeout: waitMsMax });
  try {
    return database.prepare("select 1 from sqlite_master where name = 'schema_version'").get() !== undefined;
  } finally {
    database.close();
  }
}

export function databaseBytes(database: DatabaseSync): number {
  return Number(pragma(database, 'page_count')) * Number(pragma(database, 'page_size'));
}

function setUp(database: DatabaseSync, location: string, readOnly: boolean): void {
  distrustFile(database);
  if (!readOnly) database.exec('pragma journal_mode = wal');
  database.exec('pragma synchronous = full; pragma foreign_keys = on;');
  assertPragma(database, 'synchronous', 2);
  assertPragma(database, 'foreign_keys', 1);
  assertPragma(database, 'trusted_schema', 0);
  if (location !== ':memory:') assertPragma(database, 'journal_mode', 'wal');
  if (readOnly) return;
  setUpWriter(database);
  assertWritable(database);
}

/** What https://sqlite.org/security.html recommends for a file that someone may have prepared. */
function distrustFile(database: DatabaseSync): void {
  database.enableDefensive(true);
  // Triggers, views and expressions in the file may call no function with effects. Our temporary triggers are not in it.
  database.exec('pragma trusted_schema = off; pragma cell_size_check = on');
}

function setUpWriter(database: DatabaseSync): void {
  // The writer never waits inside SQLite, which would block the process.
  database.exec('pragma busy_timeout = 0');
  const isLong = Number(pragma(database, 'page_count')) > longPages;
  const { cacheKib, checkpointPages, logBytesMax } = isLong ? longWriter : shortWriter;
  // A negative size is in KiB.
  database.exec(`pragma cache_size = ${-cacheKib}; pragma cache_spill = ${-writerSpillKib};`);
  database.exec(`pragma wal_autocheckpoint = ${checkpointPages}; pragma journal_size_limit = ${logBytesMax}`);
  assertPragma(database, 'cache_size', -cacheKib);
  assertPragma(database, 'wal_autocheckpoint', checkpointPages);
  assertPragma(database, 'journal_size_limit', logBytesMax);
}

/** SQLite opens a read-only file without an error, and would fail at the first write. */
function assertWritable(database: DatabaseSync): void {
  try {
    database.exec('begin immediate; pragma user_version = 0; rollback');
  } catch (error) {
    if (!isBusy(error)) throw error;
  }
}

function assertPragma(database: DatabaseSync, name: string, expected: unknown): void {
  const actual = pragma(database, name);
  if (actual !== expected) throw new Error(`pragma ${name} is ${actual} and not ${expected}`);
}

function pragma(database: DatabaseSync, name: string): unknown {
  return Object.values(database.prepare(`pragma ${name}`).get() ?? {})[0];
}
