import { randomUUID } from 'node:crypto';
import { existsSync, realpathSync, statSync } from 'node:fs';
import { link, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import {
  createPart,
  giveTo,
  linkTarget,
  modeWithoutOthers,
  privateFolder,
  publishPart,
  replaceByPart,
  statIfPresent,
  syncPath,
} from '../files/private-files.ts';
import { backupTimeFile, holdsRegistry, openToRead, recordBackup, requireWritable } from './backup-file.ts';
import { renewEpoch } from './kernel-queries.ts';
import { knownSchemas } from './migrations/known-schemas.ts';
import { openStorage } from './open-storage.ts';
import { describeDatabase } from './postgres-url.ts';
import { requireStoredSchema } from './schema.ts';
import { BackupError, DatabaseNotFound, reasonOf } from './storage-failure.ts';

/** Copies all pages in one step, so that a concurrent writer cannot make the backup restart. */
const allPages = 2_147_483_647;

/**
 * Copies a SQLite database, even while it is being written, into one new self-contained file.
 * The file is either complete and on disk, or absent. Records `at` as the time of the last backup, and returns why that
 * is not possible, or null. Throws `BackupError`, and `DatabaseNotFound` if there is no file.
 */
export async function backupDatabase(url: string, file: string, at: Date): Promise<string | null> {
  const location = locationOf(url, 'Make the backup with pg_dump: pg_dump --format=custom --file=FILE DATABASE_URL');
  if (existsSync(file)) fail(`The file ${file} already exists and is not overwritten. Choose another file.`);
  if (!existsSync(location) || !holdsRegistry(location, knownSchemas)) throw DatabaseNotFound.in(describeDatabase(url));
  const part = `${linkTarget(file)}.${process.pid}.part`;
  try {
    await copy(location, part, 'quick_check');
    await syncPath(part);
    await publishPart(part, file);
  } catch (error) {
    throw asBackupError(error, `The backup ${file} cannot be created`);
  } finally {
    await removeDatabase(part);
  }
  // The backup is complete without the recorded time, which a read-only user cannot write; the alert then fires early.
  return recordBackup(location, at).then(
    () => null,
    (error) => unrecorded(location, error),
  );
}

function unrecorded(location: string, error: unknown): string {
  return `The backup is complete, but its time cannot be recorded in ${backupTimeFile(location)}: ${reasonOf(error)}. The metric database_last_backup_timestamp_seconds keeps the time of an earlier backup. Make backups as the owner of the database.`;
}

/**
 * Replaces a SQLite database with a backup, under a new epoch, so that no earlier ETag matches again.
 * Returns the file name under which the previous database, if any, was retained.
 * Throws `BackupError` while any process uses the database, or if the file is not a complete registry, with the schema
 * that the migrations create and nothing else: a trigger in a backup would run in the service.
 */
export async function restoreDatabase(url: string, file: string, at: Date): Promise<{ replaced: string | null }> {
  const location = locationOf(
    url,
    'Restore a dump with pg_restore, as "Back up and restore PostgreSQL" in docs/backup.md shows',
  );
  if (!existsSync(file)) fail(`There is no file ${file}.`);
  await mkdir(dirname(location), { recursive: true, mode: privateFolder });
  const part = `${location}.${process.pid}.part`;
  try {
    // Compares each index with its table too: a lookup by a forged one would find another row.
    await copy(file, part, 'integrity_check');
    await renew(part);
    await syncPath(part);
    return await replace(location, part, `${location}.replaced-${at.toISOString().replaceAll(':', '-')}`);
  } catch (error) {
    throw asBackupError(error, `The backup ${file} cannot be restored`);
  } finally {
    await removeDatabase(part);
  }
}

async function removeDatabase(location: string): Promise<void> {
  for (const end of ['', '-journal', '-wal', '-shm']) await rm(location + end, { force: true });
}

function locationOf(url: string, instead: string): string {
  if (!url.startsWith('sqlite:')) fail(`This works on SQLite only. ${instead}`);
  const location = url.slice('sqlite:'.length);
  if (location === ':memory:') fail('An in-memory database ends with its process and cannot be backed up.');
  return linkTarget(location);
}

async function copy(from: string, to: string, check: 'quick_check' | 'integrity_check'): Promise<void> {
  // A private file from its beginning: SQLite would create one by the mask of the process.
  await (await createPart(to)).close();
  while (!(await copyOnce(from, to)));
  const made = new DatabaseSync(to);
  try {
    // Without a write-ahead log, one file is the complete database.
    made.exec('pragma trusted_schema = off; pragma journal_mode = delete');
    const results = made
      .prepare(`pragma ${check}(1)`)
      .all()
      .flatMap((row) => Object.values(row));
    if (results[0] !== 'ok') fail(`The database ${from} is damaged: ${results[0]}.`);
    const tables = made.prepare("select 1 from sqlite_master where name = 'registry_epoch'").all();
    if (tables.length === 0) fail(`The file ${from} does not contain a registry.`);
    const dangling = made.prepare('pragma foreign_key_check').all();
    if (dangling.length > 0) fail(`The database ${from} has references to missing rows (${dangling.length}).`);
  } finally {
    made.close();
  }
}

/** Returns false if the database was opened for writing while it was read without locks. */
async function copyOnce(source: string, to: string): Promise<boolean> {
  const from = realpathSync(source);
  const { mtimeMs, size } = statSync(from);
  const { database, isLocked } = openToRead(from);
  try {
    await backup(database, to, { rate: allPages });
  } finally {
    database.close();
  }
  if (isLocked) return true;
  const after = statSync(from);
  return after.mtimeMs === mtimeMs && after.size === size && !existsSync(`${from}-wal`);
}

async function renew(part: string): Promise<void> {
  const storage = await openStorage(`sqlite:${part}`);
  try {
    const { version, isNewer } = await requireStoredSchema(storage);
    if (isNewer)
      fail(
        `The backup has schema version ${version}, which this app-registry is too old to check. Restore it with the version that created it.`,
      );
    await storage.write((transaction) => renewEpoch(transaction, { epoch: randomUUID() }));
  } finally {
    await storage.close();
  }
}

async function replace(location: string, part: string, aside: string): Promise<{ replaced: string | null }> {
  const replaced = statIfPresent(location);
  if (!replaced) {
    // A leftover log of a removed database would be replayed into the restored one.
    for (const end of ['-wal', '-shm']) await rm(location + end, { force: true });
    await replaceByPart(part, location);
    return { replaced: null };
  }
  requireWritable(location);
  const old = lock(location);
  try {
    await settleKilledRestores(location);
    // Until the database is replaced, this is another name of it, and not a copy that was retained.
    await link(location, `${aside}.part`);
    await rm(`${location}-shm`, { force: true });
    giveTo(part, replaced, modeWithoutOthers(replaced));
    // Atomic: no process may find the database missing and create an empty one.
    await replaceByPart(part, location);
    await replaceByPart(`${aside}.part`, aside);
    return { replaced: aside };
  } finally {
    old.close();
  }
}

/** Names what killed restores have retained, and removes the second name of a database that they have not replaced. */
async function settleKilledRestores(location: string): Promise<void> {
  const { ino } = await stat(location);
  for (const name of await readdir(dirname(location))) {
    if (!name.startsWith(`${basename(location)}.replaced-`) || !name.endsWith('.part')) continue;
    const path = join(dirname(location), name);
    if ((await stat(path)).ino === ino) await rm(path);
    else await replaceByPart(path, path.slice(0, -'.part'.length));
  }
}

/** Any open connection, even an idle one, prevents an exclusive lock. */
function lock(location: string): DatabaseSync {
  const database = new DatabaseSync(location, { timeout: 1_000 });
  try {
    database.exec('pragma locking_mode = exclusive');
    // Moves the contents of the log into the file.
    database.exec('pragma journal_mode = delete; begin exclusive');
    return database;
  } catch (error) {
    database.close();
    return fail(
      `The database ${location} is in use: ${reasonOf(error)}. Stop every server and command that uses it, and restore again.`,
    );
  }
}

function fail(why: string): never {
  throw new BackupError(`${why}${why.endsWith('.') ? '' : '.'} Nothing was changed.`);
}

function asBackupError(error: unknown, what: string): unknown {
  if (error instanceof BackupError) return error;
  return new BackupError(`${what}: ${reasonOf(error).replace(/\.$/, '')}. Nothing was changed.`, { cause: error });
}
