import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { applyMigrations, applySteps } from '../migrate.ts';
import { createTable, stepsOf } from '../migration-progress.ts';
import type { KnownSchemas } from '../migrations/index.ts';
import type { Connection } from '../query.ts';
import { type Catalogue, type MigrationProgress, printable, type Schema } from '../schema.ts';
import type { QueryBuilder, Reader } from '../statement.ts';
import { SqliteConnection } from './connection.ts';

interface MasterRow {
  type: string;
  name: string;
  tbl_name: string;
  sql: string | null;
}

/** `analyze` creates it, for the planner alone. */
const statistics = 'create table sqlite_stat1 ( tbl , idx , stat )';

/**
 * Compares the statements that SQLite has stored, which it parses whenever it opens the file: they hold everything,
 * even what no pragma lists, such as checks and collations. Reads no row of a table, however large the database is.
 */
export function sqliteCatalogue(builder: QueryBuilder, schemas: KnownSchemas): Catalogue {
  return {
    read,
    expected: async (version, progress) => {
      const database = new DatabaseSync(':memory:');
      try {
        const connection = new SqliteConnection(database, builder, (error) => error);
        await applyMigrations(connection, 'sqlite', schemas.migrations.slice(0, progress ? version - 1 : version));
        if (progress) await applyProgress(connection, schemas, progress);
        return [await read(connection)];
      } finally {
        database.close();
      }
    },
  };
}

async function applyProgress(
  connection: Connection,
  schemas: KnownSchemas,
  { version, steps }: MigrationProgress,
): Promise<void> {
  await connection.run(createTable(connection));
  await applySteps(connection, stepsOf({ engine: 'sqlite', schemas, reader: connection }, version).slice(0, steps));
}

async function read(reader: Reader): Promise<Schema> {
  const master = sql<MasterRow>`select type, name, tbl_name, sql from sqlite_master`.compile(reader.builder);
  const [encoding] = await reader.rows(sql<{ encoding: string }>`pragma encoding`.compile(reader.builder));
  // Texts of another encoding have another order.
  const schema = new Map([['encoding of the database', encoding?.encoding ?? '']]);
  for (const row of await reader.rows(master)) {
    const object = printable(nameOf(row));
    const definition = printable(normalizeStatement(row.sql ?? 'automatic'));
    // Only a forged file lists an object twice; then the definition is that of neither.
    if (definition !== statistics) schema.set(object, [schema.get(object), definition].filter(Boolean).join(' ; '));
  }
  return schema;
}

function nameOf({ type, name, tbl_name: table }: MasterRow): string {
  return type === 'index' || type === 'trigger' ? `${type} ${name} on ${table}` : `${type} ${name}`;
}

/**
 * A statement without what does not change its meaning: case, spaces and quotes around names. Texts keep their quotes,
 * and comments stay, so that two statements that mean different things never become the same.
 */
function normalizeStatement(statement: string): string {
  const tokens = statement.match(/'(?:[^']|'')*'|"\w+"|"(?:[^"]|"")*"|\w+|[^\s\w]/g) ?? [];
  return tokens
    .map((token) => (token.startsWith("'") ? token : token.toLowerCase().replace(/^"(\w+)"$/, '$1')))
    .join(' ');
}
