import { existsSync, realpathSync, statSync } from 'node:fs';
import { readFile, realpath, writeFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
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
  const url = pathToFileURL(file);
  // Without a log the file is complete, and SQLite makes no files beside it.
  if (!existsSync(`${file}-wal`)) url.searchParams.set('immutable', '1');
  const database = new DatabaseSync(url, { readOnly: true, timeout: waitMsMax });
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

function readVersions(database: DatabaseSync): SchemaVersionRow[] {
  try {
    const rows = database.prepare('select version, usable_from, baseline from registry_schema').all();
    return rows as unknown as SchemaVersionRow[];
  } catch {
    throw foreignVersion();
  }
}

/** Records the time of a backup in a file beside the database, so that read access to the database is enough. */
export async function recordBackup(location: string, at: Date): Promise<void> {
  await writeFile(await fileOf(location), `${at.toISOString()}\n`, { mode: 0o600 });
}

/** Milliseconds since 1970; 0 when no readable time is recorded, so that the missing backup raises an alert. */
export async function lastBackupAt(location: string): Promise<number> {
  const text = await readFile(await fileOf(location), 'utf8').catch(() => '');
  return Date.parse(text.trim()) || 0;
}

/** The same file for every link to the database. */
async function fileOf(location: string): Promise<string> {
  return `${await realpath(location)}.last-backup`;
}
