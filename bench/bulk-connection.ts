import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';

/** Fills a database faster than a registry could: without foreign keys or durability. */
export interface BulkConnection {
  readonly engine: 'sqlite' | 'postgres';
  run(sql: string): Promise<void>;
  /** The indexes that can be dropped and recreated, with the statements that create them. */
  listIndexes(): Promise<{ name: string; sql: string }[]>;
  /** Restores the settings that a registry needs. */
  close(): Promise<void>;
}

export function openBulkConnection(url: string): Promise<BulkConnection> {
  return url.startsWith('sqlite:') ? openSqlite(url.slice('sqlite:'.length)) : openPostgres(url);
}

async function openSqlite(location: string): Promise<BulkConnection> {
  // Defensive mode would keep the journal, and so write everything twice.
  const database = new DatabaseSync(location, { defensive: false });
  // Indexes exceed SQLite's default cache, and evicted pages would be written repeatedly.
  database.exec('pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -4000000');
  database.exec('pragma foreign_keys = off');
  return {
    engine: 'sqlite',
    run: async (sql) => database.exec(sql),
    listIndexes: async () => {
      const created = `select name, sql from sqlite_master where type = 'index' and sql is not null`;
      return database.prepare(created).all() as { name: string; sql: string }[];
    },
    close: async () => {
      database.exec('pragma journal_mode = wal');
      database.close();
    },
  };
}

async function openPostgres(url: string): Promise<BulkConnection> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(`set session_replication_role = replica; set maintenance_work_mem = '1GB'`);
  return {
    engine: 'postgres',
    run: async (sql) => {
      await client.query(sql);
    },
    listIndexes: async () => {
      const created = await client.query(`
        select indexname as name, indexdef as sql from pg_indexes where schemaname = current_schema()
          and indexname not in (select conname from pg_constraint)`);
      return created.rows;
    },
    close: () => client.end(),
  };
}
