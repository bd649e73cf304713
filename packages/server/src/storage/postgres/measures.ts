import { sql } from 'kysely';
import type pg from 'pg';
import type { Measures } from '../measures.ts';
import { type Connection, find } from '../query.ts';

const findSize = find((db) => {
  const size = sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`;
  return { compile: () => size.compile(db) };
});

/** The log, disk and backups belong to the server, not to one database: the operator of the server monitors them. */
export function postgresMeasures(reader: Connection, pools: Record<string, pg.Pool>): Measures {
  return {
    databaseBytes: async () => (await findSize(reader, {}))?.bytes ?? 0,
    waiting: async () =>
      Object.fromEntries(Object.entries(pools).map(([name, { waitingCount }]) => [name, waitingCount])),
  };
}
