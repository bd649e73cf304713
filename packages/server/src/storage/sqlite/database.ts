import { DatabaseSync } from 'node:sqlite';
import { isBusy } from './failure.ts';

/** While it opens, and for a reader while another process recovers the log of one that was killed. */
const waitMsMax = 10_000;
/** So much one write may change before its pages leave the memory: with less, those of an import go out and in again. */
const writerSpillKib = 65_536;

interface WriterSettings {
  cacheKib: number;
  /** When the log has so many, what they changed goes into the file, for which the process stands still. */
  checkpointPages: number;
  /** An import makes the log as long as what it writes; the next write gives back what is over this. */
  logBytesKept: number;
}

/**
 * Of a database of less than a gigabyte, SQLite looks through its whole cache at nearly every commit: of 64 MB half a
 * millisecond long. It moves pages by way of the one that stands at a gigabyte, and then drops all above the end.
 */
const shortWriter: WriterSettings = { cacheKib: 16_384, checkpointPages: 1_000, logBytesKept: 16_777_216 };
/**
 * What updates write to a longer one lies further apart. With this cache one takes a sixth less of the processor. With
 * this log an app that is updated again goes into the file once and not each time: an update writes four and a half pages
 * and not eight. The process stands still for 30 ms at a time, where it was 10.
 */
const longWriter: WriterSettings = { cacheKib: 65_536, checkpointPages: 16_000, logBytesKept: 100_663_296 };
/** A gigabyte. */
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

function setUp(database: DatabaseSync, location: string, readOnly: boolean): void {
  if (!readOnly) database.exec('pragma journal_mode = wal');
  database.exec('pragma synchronous = full; pragma foreign_keys = on;');
  assertPragma(database, 'synchronous', 2);
  assertPragma(database, 'foreign_keys', 1);
  if (location !== ':memory:') assertPragma(database, 'journal_mode', 'wal');
  if (readOnly) return;
  setUpWriter(database);
  assertWritable(database);
}

function setUpWriter(database: DatabaseSync): void {
  // The writer never waits inside SQLite, which would hold up the whole process.
  database.exec('pragma busy_timeout = 0');
  const isLong = Number(pragma(database, 'page_count')) > longPages;
  const { cacheKib, checkpointPages, logBytesKept } = isLong ? longWriter : shortWriter;
  // A negative size is in KiB.
  database.exec(`pragma cache_size = ${-cacheKib}; pragma cache_spill = ${-writerSpillKib};`);
  database.exec(`pragma wal_autocheckpoint = ${checkpointPages}; pragma journal_size_limit = ${logBytesKept}`);
  assertPragma(database, 'cache_size', -cacheKib);
  assertPragma(database, 'wal_autocheckpoint', checkpointPages);
  assertPragma(database, 'journal_size_limit', logBytesKept);
}

/** A file that may only be read is opened all the same, and would refuse the first write. */
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
