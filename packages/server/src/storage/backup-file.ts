import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs';
import { readFile, realpath } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { modeWithoutOthers, replaceFile } from '../files/private-files.ts';
import { fileText } from '../files/text-file.ts';
import type { KnownSchemas } from './migrations/known-schemas.ts';
import { foreignVersion, printable, requireUsable } from './schema.ts';
import { notARegistry } from './storage-failure.ts';
import type { SchemaVersionRow } from './tables.ts';

/** Longest wait for another process that recovers the log of a killed one. */
const waitMsMax = 10_000;

/**
 * Whether a file holds a registry that this program may use; not so if it is empty. Throws `UnusableDatabase` for any other
 * file, without changing it: SQLite would otherwise recover its journal, or copy its log.
 */
export function holdsRegistry(location: string, schemas: KnownSchemas): boolean {
  const file = realpathSync(location);
  const found = statSync(file);
  if (!found.isFile()) throw new Error('unable to open database file, because it is not a file');
  if (found.size === 0) return false;
  const { database } = openToRead(file);
  try {
    const objects = database.prepare('select type, name from sqlite_master order by rowid').all();
    const [first] = objects;
    if (!first) return false;
    if (!objects.some(({ type, name }) => type === 'table' && name === 'registry_schema'))
      throw notARegistry(printable(`the ${first.type} ${first.name}`));
    requireUsable(readVersions(database), schemas);
    return true;
  } finally {
    database.close();
  }
}

/**
 * Opens a file only to read it, and creates nothing beside it: such files would belong to this user, and keep the owner of
 * the database from opening it. A file without a log is complete; it is then read without locks.
 */
export function openToRead(location: string): { database: DatabaseSync; isLocked: boolean } {
  const file = realpathSync(location);
  const url = pathToFileURL(file);
  const isLocked = existsSync(`${file}-wal`);
  if (!isLocked) url.searchParams.set('immutable', '1');
  else if (!existsSync(`${file}-shm`)) requireWritable(file);
  return { database: new DatabaseSync(url, { readOnly: true, timeout: waitMsMax }), isLocked };
}

/**
 * Throws if this user may not write a file: SQLite would create its log beside it before it finds out. Does not open the file,
 * because closing it would release the locks of every connection of this process.
 */
export function requireWritable(file: string): void {
  try {
    accessSync(file, constants.W_OK);
  } catch (error) {
    const code = error instanceof Error && 'code' in error && error.code;
    throw new Error(`this user may not write the file (${code}). Run the command as its owner`, { cause: error });
  }
}

function readVersions(database: DatabaseSync): SchemaVersionRow[] {
  try {
    const rows = database.prepare('select version, usable_from, baseline from registry_schema').all();
    return rows as unknown as SchemaVersionRow[];
  } catch {
    throw foreignVersion();
  }
}

/**
 * Records the time of a backup in a file beside the database, so that read access to the database is enough. It can be
 * read by all who can read the database, and not only by the user that made the backup.
 */
export async function recordBackup(location: string, at: Date): Promise<void> {
  const like = statSync(location);
  await replaceFile(backupTimeFile(location), `${at.toISOString()}\n`, { like, mode: modeWithoutOthers(like) });
}

/** Milliseconds since 1970; 0 when no readable time is recorded, so that the missing backup raises an alert. */
export async function lastBackupAt(location: string): Promise<number> {
  const text = await readFile(backupTimeFile(await realpath(location))).then(fileText, () => '');
  return Date.parse(text.trim()) || 0;
}

/** The same file for every link to the database, which is resolved. */
export function backupTimeFile(location: string): string {
  return `${location}.last-backup`;
}
