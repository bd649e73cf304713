import { DatabaseSync } from 'node:sqlite';
import { isBusy } from './failure.ts';

/** Longest wait for a lock: while opening, and for a reader while another process recovers the log of a killed one. */
const waitMsMax = 10_000;
/** Changed pages that one write may hold in memory. With less, the pages of an import are written out and reread. */
const writerSpillKib = 65_536;

interface WriterSettings {
  cacheKib: number;
  /** Length of the log at which it is copied into the file. */
  checkpointPages: number;
  /** An import makes the log as long as what it writes; when the log restarts, it is truncated to this size. */
  logBytesMax: number;
}

/**
 * Below a gigabyte, SQLite scans its complete cache at almost every commit: half a millisecond with 64 MB. It
 * moves pages through the page at one gigabyte, and then drops all pages above the end. Up to this length of the log, a
 * reader finds a page in it by one look into its index.
 */
const shortWriter: WriterSettings = { cacheKib: 16_384, checkpointPages: 4_000, logBytesMax: 16_777_216 };
/**
 * Updates of a larger database write to pages further apart. With this cache, an update uses a sixth less CPU.
 * With this log, an app that is updated repeatedly is copied once, not each time: an update writes 4.5 pages instead of 8.
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

/** Works while no other process writes. Waits inside SQLite for one that does. */
export function lockWhileOpening(writer: DatabaseSync, work: () => void): void {
  writer.exec(`pragma busy_timeout = ${waitMsMax}; begin immediate`);
  try {
    work();
  } finally {
    writer.exec('rollback; pragma busy_timeout = 0');
  }
}

export function databaseBytes(database: DatabaseSync): number {
  return Number(pragma(database, 'page_count')) * pageBytes(database);
}

export function pageBytes(database: DatabaseSync): number {
  return Number(pragma(database, 'page_size'));
}

function setUp(database: DatabaseSync, location: string, readOnly: boolean): void {
  distrustFile(database);
  if (!readOnly) database.exec('pragma journal_mode = wal');
  // A commit waits for no disk: `SqliteLog` syncs the log afterwards.
  database.exec('pragma synchronous = normal; pragma foreign_keys = on;');
  assertPragma(database, 'synchronous', 1);
  assertPragma(database, 'foreign_keys', 1);
  assertPragma(database, 'trusted_schema', 0);
  if (location !== ':memory:') assertPragma(database, 'journal_mode', 'wal');
  if (readOnly) return;
  setUpWriter(database);
  assertWritable(database);
}

/** Follows https://sqlite.org/security.html for files that an attacker may have prepared. */
function distrustFile(database: DatabaseSync): void {
  database.enableDefensive(true);
  // Triggers, views and expressions in the file may call no function with effects. Our temporary triggers are not in it.
  database.exec('pragma trusted_schema = off; pragma cell_size_check = on');
}

function setUpWriter(database: DatabaseSync): void {
  // The writer never waits inside SQLite, which would block the process.
  database.exec('pragma busy_timeout = 0');
  const { cacheKib, logBytesMax } = writerSettings(database);
  // A negative size is in KiB.
  database.exec(`pragma cache_size = ${-cacheKib}; pragma cache_spill = ${-writerSpillKib};`);
  // Copying the log waits for the disk: `SqliteCheckpoints` does it.
  database.exec(`pragma wal_autocheckpoint = 0; pragma journal_size_limit = ${logBytesMax}`);
  assertPragma(database, 'cache_size', -cacheKib);
  assertPragma(database, 'wal_autocheckpoint', 0);
  assertPragma(database, 'journal_size_limit', logBytesMax);
}

/** The length of its log at which a database is copied. */
export function checkpointPages(database: DatabaseSync): number {
  return writerSettings(database).checkpointPages;
}

function writerSettings(database: DatabaseSync): WriterSettings {
  return Number(pragma(database, 'page_count')) > longPages ? longWriter : shortWriter;
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
