import { randomUUID } from 'node:crypto';
import { access, chmod, link, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { BackupRefused } from './failure.ts';
import { recordBackup } from './last-backup.ts';
import { openStorage } from './open-storage.ts';
import { renewEpoch } from './queries/epoch.ts';

/** Every page in one step: a step sees one state, and a writer elsewhere cannot make it begin anew. */
const allPages = 2_147_483_647;

/**
 * Copies a SQLite database, also while it is written, into a new file that needs no other beside it.
 * The file is there whole and on the disk, or not at all; that it was made `at` then is noted. Refuses with `BackupRefused`.
 */
export async function backupDatabase(url: string, file: string, at: Date): Promise<void> {
  const location = locationOf(url, 'Make the backup with pg_dump: pg_dump --format=custom --file=FILE DATABASE_URL');
  if (await isThere(file)) refuse(`The file ${file} exists already and is not overwritten. Name another one.`);
  if (!(await isThere(location))) refuse(`There is no database ${location} to back up.`);
  const part = `${file}.${process.pid}.part`;
  try {
    await copy(location, part);
    await sync(part);
    // Unlike a renaming, it fails when somebody else has made the file meanwhile.
    await link(part, file);
    await sync(dirname(file));
    // The backup is whole without it, also one by somebody who may only read; then an alert comes too early.
    await recordBackup(location, at).catch(() => {});
  } catch (error) {
    throw asRefusal(error, `The backup ${file} cannot be made`);
  } finally {
    await rm(part, { force: true });
  }
}

/**
 * Puts a backup in the place of a SQLite database, with a new epoch, so that no ETag of before ever holds
 * again. What was there is kept: answers under which name, if there was something. Refuses with
 * `BackupRefused` while any process uses the database, or when the file is no whole registry.
 */
export async function restoreDatabase(url: string, file: string, at: Date): Promise<{ replaced: string | null }> {
  const location = locationOf(
    url,
    'Restore a dump with pg_restore, as "Back up and restore PostgreSQL" of docs/operating.md shows',
  );
  if (!(await isThere(file))) refuse(`There is no file ${file}.`);
  const part = `${location}.${process.pid}.part`;
  try {
    await copy(file, part);
    await renew(part);
    await sync(part);
    return await replace(location, part, `${location}.replaced-${at.toISOString().replaceAll(':', '-')}`);
  } catch (error) {
    throw asRefusal(error, `The backup ${file} cannot be restored`);
  } finally {
    for (const end of ['', '-wal', '-shm']) await rm(part + end, { force: true });
  }
}

function locationOf(url: string, instead: string): string {
  if (!url.startsWith('sqlite:')) refuse(`This works on SQLite only. ${instead}`);
  const location = url.slice('sqlite:'.length);
  if (location === ':memory:') refuse('A database in memory ends with its process, and has no backup.');
  return location;
}

async function copy(from: string, to: string): Promise<void> {
  const source = new DatabaseSync(from, { readOnly: true, timeout: 10_000 });
  try {
    await backup(source, to, { rate: allPages });
  } finally {
    source.close();
  }
  await chmod(to, 0o600);
  const made = new DatabaseSync(to);
  try {
    // Without a log, one file is the whole database.
    made.exec('pragma journal_mode = delete');
    const answers = made
      .prepare('pragma quick_check(1)')
      .all()
      .flatMap((row) => Object.values(row));
    if (answers[0] !== 'ok') refuse(`The database ${from} is damaged: ${answers[0]}.`);
    const tables = made.prepare("select 1 from sqlite_master where name = 'registry_epoch'").all();
    if (tables.length === 0) refuse(`The file ${from} holds no registry.`);
    const dangling = made.prepare('pragma foreign_key_check').all();
    if (dangling.length > 0) refuse(`The database ${from} refers to rows that are missing (${dangling.length}).`);
  } finally {
    made.close();
  }
}

async function renew(part: string): Promise<void> {
  const storage = await openStorage(`sqlite:${part}`);
  await storage.write((transaction) => renewEpoch(transaction, { epoch: randomUUID() })).finally(() => storage.close());
}

async function replace(location: string, part: string, aside: string): Promise<{ replaced: string | null }> {
  if (!(await isThere(location))) {
    // The log of a database that was taken away would be replayed into the restored one.
    for (const end of ['-wal', '-shm']) await rm(location + end, { force: true });
    await rename(part, location);
    await sync(dirname(location));
    return { replaced: null };
  }
  const old = lock(location);
  try {
    await link(location, aside);
    await rm(`${location}-shm`, { force: true });
    // In one step, so that nobody finds no database and makes an empty one.
    await rename(part, location);
    await sync(dirname(location));
    return { replaced: aside };
  } finally {
    old.close();
  }
}

/** Every open connection, however idle, keeps others from locking the whole database. */
function lock(location: string): DatabaseSync {
  const database = new DatabaseSync(location, { timeout: 1_000 });
  try {
    database.exec('pragma locking_mode = exclusive');
    // Moves what is in the log into the file.
    database.exec('pragma journal_mode = delete; begin exclusive');
    return database;
  } catch (error) {
    database.close();
    return refuse(
      `The database ${location} is in use: ${(error as Error).message}. Stop every server and command that uses it, and restore again.`,
    );
  }
}

async function sync(path: string): Promise<void> {
  const handle = await open(path);
  await handle.sync().finally(() => handle.close());
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

function refuse(why: string): never {
  throw new BackupRefused(`${why}${why.endsWith('.') ? '' : '.'} Nothing was changed.`);
}

function asRefusal(error: unknown, what: string): unknown {
  if (error instanceof BackupRefused) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new BackupRefused(`${what}: ${reason.replace(/\.$/, '')}. Nothing was changed.`, { cause: error });
}
