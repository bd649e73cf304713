import { readFile, realpath, writeFile } from 'node:fs/promises';

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
