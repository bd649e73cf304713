import { type RawBuilder, sql } from 'kysely';
import type { Reader } from '../statement.ts';
import type { Storage } from '../storage.ts';
import type { Tables } from '../tables.ts';

/** A query for the ids of a list. */
export type ListedIds = RawBuilder<unknown>;

/** The number of rows that a query for ids selects, which reads no more than its limit. */
export async function countRows(reader: Reader, ids: ListedIds): Promise<number> {
  const query = sql<{ count: number }>`select count(*) as count from (${ids}) as counted`;
  const [row] = await reader.rows(query.compile(reader.builder));
  return row?.count ?? 0;
}

/** About how many rows a table has, without reading them: on SQLite, deleted ones between the first and the last count. */
export async function estimateRows(
  { reader, engine }: Pick<Storage, 'reader' | 'engine'>,
  table: keyof Tables,
): Promise<number> {
  const from = sql.table(table);
  const query =
    engine === 'sqlite'
      ? sql<{ rows: number }>`select (select max(rowid) from ${from}) - (select min(rowid) from ${from}) + 1 as rows`
      : sql<{ rows: number }>`select reltuples::bigint as rows from pg_class where oid = ${table}::regclass`;
  const [row] = await reader.rows(query.compile(reader.builder));
  return row?.rows ?? 0;
}
