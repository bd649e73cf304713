import { sql } from 'kysely';
import type pg from 'pg';
import type { Measures } from '../measures.ts';
import { type Connection, find, list } from '../query.ts';
import { columns } from '../tables.ts';

const findSize = find((db) => {
  const size = sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`;
  return { compile: () => size.compile(db) };
});

const findTime = find((db) => {
  const time = sql<{ at: number }>`select (extract(epoch from clock_timestamp()) * 1000)::bigint as at`;
  return { compile: () => time.compile(db) };
});

/** With indexes and long values; the number of rows is that of the last analysis. */
const listTableSizes = list((db) => {
  const sizes = sql<{ name: string; rows: number; bytes: number }>`
    select relname as name, greatest(reltuples, 0)::bigint as rows, pg_total_relation_size(oid) as bytes
    from pg_class where relname = any(${Object.keys(columns)}) and relkind = 'r' and pg_table_is_visible(oid) order by relname`;
  return { compile: () => sizes.compile(db) };
});

/** The log, disk and backups belong to the server, not to one database: the operator of the server monitors them. */
export function postgresMeasures(reader: Connection, pools: Record<string, pg.Pool>): Measures {
  return {
    databaseBytes: async () => (await findSize(reader, {}))?.bytes ?? 0,
    async tables() {
      const sizes = await listTableSizes(reader, {});
      return Object.fromEntries(sizes.map(({ name, rows, bytes }) => [name, { rows, bytes }]));
    },
    clockOffsetMs: (connection = reader) => clockOffsetMs(connection),
    // An idle connection is handed out in the next turn: nothing waits for it.
    waiting: async () =>
      Object.fromEntries(
        Object.entries(pools).map(([name, { waitingCount, idleCount }]) => [
          name,
          Math.max(0, waitingCount - idleCount),
        ]),
      ),
  };
}

/**
 * Measured against the moments before and after the query, whichever is nearer, since the duration of the query is not
 * clock offset.
 */
async function clockOffsetMs(reader: Connection): Promise<number> {
  const before = Date.now();
  const at = (await findTime(reader, {}))?.at ?? before;
  return at < before ? at - before : Math.max(0, at - Date.now());
}
