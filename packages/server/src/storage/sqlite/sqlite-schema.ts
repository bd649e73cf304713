import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { applyMigrations, applySteps } from '../migrate.ts';
import type { KnownSchemas } from '../migrations/known-schemas.ts';
import type { Connection, QueryBuilder, Reader } from '../query.ts';
import { createTable, printable, stepsOf } from '../schema.ts';
import type { MigrationProgress, Migrator, Schema, SchemaReader, Storage } from '../storage.ts';
import { StorageUnavailable } from '../storage-failure.ts';
import { SqliteConnection } from './sqlite-connection.ts';
import { isBusy } from './sqlite-failure.ts';

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
export function sqliteSchemaReader(builder: QueryBuilder, schemas: KnownSchemas): SchemaReader {
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

/**
 * Longer than the writer of another process sleeps between attempts to get the lock, so that no writer waits for two
 * steps.
 */
const pauseMsMin = 20;
/** After a long write, when many may wait and the machine may be busy. */
const pauseMsMax = 500;
/** Number of attempts, each of which lasts as long as the writer waits for its lock. */
const attemptsMax = 12;

/**
 * The lock of a write is that of the file, for all processes. An index of a large table is built in one write, for
 * which others wait; reads continue.
 */
export function sqliteMigrator(storage: Pick<Storage, 'write'>): Migrator {
  return {
    lock: async () => {},
    runExclusively: (work) => work(async () => {}),
    async write(work, onWait) {
      for (let attempt = 1; ; attempt += 1) {
        const startedAt = performance.now();
        try {
          return await storage.write(work);
        } catch (error) {
          if (!isHeld(error) || attempt === attemptsMax) throw error;
          onWait('waiting for another process that is writing');
        } finally {
          await sleep(Math.min(pauseMsMax, pauseMsMin + (performance.now() - startedAt) / 4));
        }
      }
    },
    runConcurrently: async () => false,
  };
}

function isHeld(error: unknown): boolean {
  return error instanceof StorageUnavailable && isBusy(error.cause);
}
