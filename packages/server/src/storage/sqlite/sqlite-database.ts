import { existsSync, realpathSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { isBusy } from './sqlite-failure.ts';

/** Longest wait for a lock: while opening, and for a reader while another process recovers the log of a killed one. */
const waitMsMax = 10_000;
/** Attempts to open a file alone, and the pause between them. */
const [attemptsMax, pauseMsMax] = [2, 20];
/** Changed pages that one write may hold in memory. With less, the pages of an import are written out and reread. */
const writerSpillKib = 65_536;

interface WriterSettings {
  cacheKib: number;
  /** Length of the log at which a commit also copies it into the file. */
  checkpointPages: number;
  /** An import makes the log as long as what it writes; when the log restarts, it is truncated to this size. */
  logBytesMax: number;
}

/**
 * Below a gigabyte, SQLite scans its complete cache at almost every commit: half a millisecond with 64 MB. It
 * moves pages through the page at one gigabyte, and then drops all pages above the end.
 */
const shortWriter: WriterSettings = { cacheKib: 16_384, checkpointPages: 1_000, logBytesMax: 16_777_216 };
/**
 * Updates of a larger database write to pages further apart. With this cache, an update uses a sixth less CPU.
 * With this log, an app that is updated repeatedly is copied once, not each time: an update writes 4.5 pages instead of 8.
 * A checkpoint holds up the process for longer.
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

/**
 * Copies the log that a killed process may have left into the file, syncs that, and truncates the log. Call it before
 * opening a file for writing; it throws when the disk fails.
 *
 * Such a log can end with a commit that was never synced, or whose sync has failed. SQLite takes it for committed, so it
 * would be read, and later commits would be appended to it. A sync of the log does not help: after one has failed, the
 * system may take pages for written that are not on the disk, and a restart finds no commit behind such a gap. A checkpoint
 * writes the pages again, to the file.
 *
 * Only a process that has the file alone does this. If another one has it open, SQLite has kept the index of the log, and
 * that lists only commits that were synced: those since the other process opened the file, which came here first. So a
 * command beside a running service does not wait for its long reads. A process that starts at the same moment waits on
 * opening, until this one no longer has the file alone.
 */
export async function settleLog(location: string): Promise<void> {
  if (!existsSync(location) || !existsSync(`${realpathSync(location)}-wal`)) return;
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    // Two that try at the same moment can refuse each other.
    if (attempt > 1) await sleep(Math.random() * pauseMsMax);
    if (checkpointAlone(location)) return;
  }
}

/** Returns false without a checkpoint if another connection has the file open. */
function checkpointAlone(location: string): boolean {
  const database = new DatabaseSync(location, { timeout: 0 });
  try {
    distrustFile(database);
    database.exec('pragma locking_mode = exclusive; pragma synchronous = full');
    return pragma(database, 'wal_checkpoint(truncate)') === 0;
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
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
  // A commit is on disk before SQLite shows it to any other connection, and before it returns.
  database.exec('pragma synchronous = full; pragma foreign_keys = on;');
  assertPragma(database, 'synchronous', 2);
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
  // Triggers, views and expressions in the file may call no function with effects.
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
