import { realpath, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { sql } from 'kysely';
import { lastBackupAt } from '../last-backup.ts';
import type { Measures } from '../measures.ts';
import { type Connection, find } from '../query.ts';

const findSize = find((db) => {
  const size = sql<{ bytes: number }>`select page_count * page_size as bytes from pragma_page_count, pragma_page_size`;
  return { compile: () => size.compile(db) };
});

export function sqliteMeasures(location: string, reader: Connection): Measures {
  const databaseBytes = async () => (await findSize(reader, {}))?.bytes ?? 0;
  if (location === ':memory:') return { databaseBytes };
  return {
    databaseBytes,
    walBytes: async () => (await stat(`${await realpath(location)}-wal`)).size,
    async diskFreeBytes() {
      const { bavail, bsize } = await statfs(dirname(await realpath(location)));
      return bavail * bsize;
    },
    lastBackupAt: () => lastBackupAt(location),
  };
}
