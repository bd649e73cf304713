import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { Kysely, PostgresDialect, SqliteDialect } from 'kysely';
import pg from 'pg';
import type { Tables } from '../../packages/server/src/storage/tables.ts';

export function connect(url: string): Kysely<Tables> {
  if (url.startsWith('sqlite:')) return connectSqlite(url.slice('sqlite:'.length));
  pg.types.setTypeParser(pg.types.builtins.INT8, Number);
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url }) }) });
}

/** Durable too: a commit returns once it is on disk. */
function connectSqlite(file: string): Kysely<Tables> {
  const database = new DatabaseSync(file, { timeout: 5_000 });
  database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on');
  return new Kysely<Tables>({
    dialect: new SqliteDialect({
      database: { close: () => database.close(), prepare: (sql) => adapt(database, sql) },
    }),
  });
}

/** Kysely expects the statements of better-sqlite3. */
function adapt(database: DatabaseSync, sql: string) {
  const statement = database.prepare(sql);
  const values = (parameters: readonly unknown[]) => parameters as SQLInputValue[];
  return {
    reader: statement.columns().length > 0,
    all: (parameters: readonly unknown[]) => statement.all(...values(parameters)),
    run: (parameters: readonly unknown[]) => statement.run(...values(parameters)),
    iterate: (parameters: readonly unknown[]) => statement.iterate(...values(parameters)),
  };
}
