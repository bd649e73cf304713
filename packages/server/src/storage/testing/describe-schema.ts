import { sql } from 'kysely';
import { readPostgresSchema } from '../postgres/postgres-schema.ts';
import type { Storage } from '../storage.ts';
import { execute } from './storage-test.ts';

/** Every object of a schema, one per line in the order of their names, regardless of the order of columns. */
export async function describeSchema(storage: Storage): Promise<string> {
  const objects = storage.engine === 'sqlite' ? await sqliteObjects(storage) : await postgresObjects(storage);
  return `${objects.toSorted().join('\n')}\n`;
}

async function postgresObjects({ reader }: Storage): Promise<string[]> {
  const tables = await execute<{ tablename: string }>(
    reader,
    'select tablename from pg_tables where schemaname = current_schema()',
  );
  const schema = await readPostgresSchema(
    reader,
    tables.map(({ tablename }) => tablename),
  );
  return [...schema].map(([object, definition]) => `${object}: ${definition}`);
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
