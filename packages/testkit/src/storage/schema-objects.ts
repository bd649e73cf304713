import { sql } from 'kysely';
import { applyMigrations } from '../../../server/src/storage/migrate.ts';
import type { KnownSchemas, SchemaChange } from '../../../server/src/storage/migrations/known-schemas.ts';
import { readPostgresSchema, schemaAt } from '../../../server/src/storage/postgres/postgres-schema.ts';
import { PostgresStorage } from '../../../server/src/storage/postgres/postgres-storage.ts';
import type { Connection } from '../../../server/src/storage/query.ts';
import type { Schema, Storage } from '../../../server/src/storage/storage.ts';
import { execute } from './storage-test.ts';

/** Every object of a schema, one per line in the order of their names, regardless of the order of columns. */
export async function describeSchema(storage: Storage): Promise<string> {
  const objects = storage.engine === 'sqlite' ? await sqliteObjects(storage) : await postgresObjects(storage);
  return `${objects.toSorted().join('\n')}\n`;
}

async function postgresObjects({ reader }: Storage): Promise<string[]> {
  return [...(await completeSchema(reader))].map(([object, definition]) => `${object}: ${definition}`);
}

/** The schema of a PostgreSQL database, with every table in it. */
async function completeSchema(connection: Connection): Promise<Schema> {
  const select = 'select tablename from pg_tables where schemaname = current_schema()';
  const tables = await execute<{ tablename: string }>(connection, select);
  return readPostgresSchema(
    connection,
    tables.map(({ tablename }) => tablename),
  );
}

async function sqliteObjects({ reader }: Storage): Promise<string[]> {
  const select = sql<{ type: string; name: string; sql: string }>`
    select type, name, sql from sqlite_master where sql is not null and name not like '%\\_data' escape '\\'`;
  const rows = await reader.rows(select.compile(reader.builder));
  return rows.flatMap(({ type, name, sql: statement }) => {
    const plain = statement.replaceAll('"', '').replaceAll(/\s+/g, ' ');
    const [, columns, end] = /^create table \w+ \((.*)\)(.*)$/i.exec(plain) ?? [];
    if (columns === undefined) return [`${type} ${name}: ${plain}`];
    const parts = columns.split(/, (?![^(]*\))/).map((part) => `column of ${name}: ${part.trim()}`);
    return [`${type} ${name}:${end}`, ...parts];
  });
}

/** What each migration changes in the schema of an empty PostgreSQL database. */
export async function schemaHistory(url: string, { migrations }: KnownSchemas): Promise<SchemaChange[]> {
  const storage = await PostgresStorage.open(url);
  try {
    return await storage.write(async (transaction) => {
      const changes: SchemaChange[] = [];
      for (const migration of migrations) {
        await applyMigrations(transaction, 'postgres', [migration]);
        changes.push(await changeTo(transaction, changes));
      }
      return changes;
    });
  } finally {
    await storage.close();
  }
}

async function changeTo(transaction: Connection, before: SchemaChange[]): Promise<SchemaChange> {
  const previous = schemaAt(before, before.length);
  const schema = await completeSchema(transaction);
  const changed = [...schema].filter(([object, definition]) => previous.get(object) !== definition);
  return {
    version: before.length + 1,
    objects: Object.fromEntries(changed.toSorted()),
    dropped: [...previous.keys()].filter((object) => !schema.has(object)).toSorted(),
  };
}

/** A trigger that makes an operator token of every token that is issued, for each engine. */
export const promotingTrigger: Record<'sqlite' | 'postgres', string[]> = {
  sqlite: [
    `create trigger promote after insert on access_tokens begin
       update access_tokens set kind = 'operator', developer_id = null where id = new.id; end`,
  ],
  postgres: [
    `create function promote() returns trigger language plpgsql as
       $$ begin new.kind := 'operator'; new.developer_id := null; return new; end $$`,
    'create trigger promote before insert on access_tokens for each row execute function promote()',
  ],
};
