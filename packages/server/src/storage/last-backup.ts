import { readFile, realpath, writeFile } from 'node:fs/promises';

/** Keeps the time of a backup beside the database and not in it: whoever makes one only has to read the database. */
export async function recordBackup(location: string, at: Date): Promise<void> {
  await writeFile(await fileOf(location), `${at.toISOString()}\n`, { mode: 0o600 });
}

/** Milliseconds since 1970; 0 when no time is kept, or none that can be read, lest nobody is told. */
export async function lastBackupAt(location: string): Promise<number> {
  const text = await readFile(await fileOf(location), 'utf8').catch(() => '');
  return Date.parse(text.trim()) || 0;
}

/** The same whichever link leads to the database. */
async function fileOf(location: string): Promise<string> {
  return `${await realpath(location)}.last-backup`;
}
