import { realpath, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { sql } from 'kysely';
import { lastBackupAt } from '../last-backup.ts';
import type { Measures } from '../measures.ts';
import { type Connection, find } from '../query.ts';
import { columns } from '../tables.ts';

const findSize = find((db) => {
  const size = sql<{ bytes: number }>`select page_count * page_size as bytes from pragma_page_count, pragma_page_size`;
  return { compile: () => size.compile(db) };
});

const sampledRows = 100;

/**
 * Rows by the first and the last row id, so that deleted rows between them count; bytes by the values of the newest
 * rows, whose lengths SQLite knows without reading them. Anything exact would read the complete table.
 */
const tableSizes = Object.entries(columns).map(([table, names]) => ({
  table,
  find: find((db) => {
    const lengths = sql.join(
      names.map((name) => sql`coalesce(octet_length(${sql.ref(name)}), 0)`),
      sql` + `,
    );
    const [from, limit] = [sql.table(table), sql.raw(String(sampledRows))];
    const size = sql<{ rows: number | null; row_bytes: number | null }>`select
      (select max(rowid) from ${from}) - (select min(rowid) from ${from}) + 1 as rows,
      (select avg(${lengths}) from (select * from ${from} order by rowid desc limit ${limit}) as newest) as row_bytes`;
    return { compile: () => size.compile(db) };
  }),
}));

async function measureTables(reader: Connection): ReturnType<Measures['tables']> {
  const sizes: Awaited<ReturnType<Measures['tables']>> = {};
  for (const { table, find } of tableSizes) {
    const size = await find(reader, {});
    const rows = size?.rows ?? 0;
    sizes[table] = { rows, bytes: Math.round(rows * (size?.row_bytes ?? 0)) };
  }
  return sizes;
}

export function sqliteMeasures(location: string, reader: Connection): Measures {
  const databaseBytes = async () => (await findSize(reader, {}))?.bytes ?? 0;
  const tables = () => measureTables(reader);
  if (location === ':memory:') return { databaseBytes, tables };
  return {
    databaseBytes,
    tables,
    walBytes: async () => (await stat(`${await realpath(location)}-wal`)).size,
    async diskFreeBytes() {
      const { bavail, bsize } = await statfs(dirname(await realpath(location)));
      return bavail * bsize;
    },
    lastBackupAt: () => lastBackupAt(location),
  };
}
