import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import type { Connection, Reader } from '../../../server/src/storage/query.ts';
import type { Storage } from '../../../server/src/storage/storage.ts';
import { type AppRow, type ComparisonKeyRow, columns } from '../../../server/src/storage/tables.ts';
import { type Engine, isTested, on, postgres, sqlite, sqliteInMemory } from '../engines/engines.ts';
import { type FreshStorage, freshStorage } from '../engines/fresh-storage.ts';

/** Declares the tests that every storage must pass once for each, under its name. */
export function forEachStorage(declare: (engine: Engine) => void): void {
  for (const engine of [sqlite, sqliteInMemory, postgres].filter(isTested))
    describe(engine.name, () => declare(engine));
}

/** Declares a test with its own storage and the URL of its database, unless the run leaves the engine out. */
export function storageTest(
  engine: Engine,
  guarantee: string,
  check: (storage: Storage, url: string) => Promise<void>,
): void {
  test(guarantee, on(engine), async () => {
    const { storage, url, end } = await freshStorage(engine);
    try {
      await check(storage, url);
    } finally {
      await end();
    }
  });
}

/** Declares a test with a storage that it shares with others. */
type OnStorage = (guarantee: string, check: (storage: Storage, url: string) => Promise<void>) => void;

/** Returns what declares tests on one storage of this suite, which is filled once and which none of them changes. */
export function filledStorage(engine: Engine, fill: (storage: Storage) => Promise<void>): OnStorage {
  return sharedStorage(engine, { fill });
}

/** Returns what declares tests on one storage of this suite. Each starts without rows, and leaves the schema as it is. */
export function emptiedStorage(engine: Engine): OnStorage {
  return sharedStorage(engine, { empty: deleteAll });
}

function sharedStorage(
  engine: Engine,
  { fill, empty }: Partial<Record<'fill' | 'empty', (storage: Storage) => Promise<void>>>,
): OnStorage {
  if (!isTested(engine)) return () => {};
  let fresh: FreshStorage;
  before(async () => {
    fresh = await freshStorage(engine);
    await fill?.(fresh.storage);
  });
  after(() => fresh.end());
  return (guarantee, check) => {
    test(guarantee, async () => {
      await empty?.(fresh.storage);
      await check(fresh.storage, fresh.url);
    });
  };
}

/** Of these, a new database has one row each. */
const tablesOfOneRow = ['settings', 'registry_schema', 'registry_epoch'];

async function deleteAll(storage: Storage): Promise<void> {
  const tables = Object.keys(columns).filter((table) => !tablesOfOneRow.includes(table));
  await storage.write(async (transaction) => {
    // Rows refer to others only in earlier tables.
    for (const table of tables.toReversed()) await execute(transaction, `delete from ${table}`);
  });
}

/** Executes SQL as it stands. */
export function execute<Row = Record<string, unknown>>(connection: Connection, text: string): Promise<Row[]> {
  return connection.rows(sql.raw<Row>(text).compile(connection.builder));
}

/** Changes a setting of a PostgreSQL database, for connections to come. */
export async function alterDatabase(storage: Storage, url: string, change: string): Promise<void> {
  await execute(storage.reader, `alter database "${new URL(url).pathname.slice(1)}" ${change}`);
}

/** Everything that was yielded. */
export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** Executes statements as someone who may do anything with the database. */
export async function changeSchema(url: string, statements: string[]): Promise<void> {
  if (url.startsWith('sqlite:')) {
    const database = new DatabaseSync(url.slice('sqlite:'.length), { defensive: false });
    for (const statement of statements) database.exec(statement);
    database.close();
    return;
  }
  const client = new pg.Client(url);
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

/** Resolves once a write of this database waits for a lock. On SQLite, writes of one process wait from their start. */
export async function someoneWaits(storage: Storage): Promise<void> {
  await nextTurn();
  if (storage.engine === 'sqlite') return;
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  while ((await execute(storage.reader, waiting)).length === 0);
}

/** All apps, by id. */
export function listStoredApps(reader: Reader): Promise<AppRow[]> {
  return reader.rows(reader.builder.selectFrom('apps').select(columns.apps).orderBy('id').compile());
}

/** All names and hosts of apps, by app. */
export function listStoredComparisonKeys(reader: Reader): Promise<ComparisonKeyRow[]> {
  const query = reader.builder.selectFrom('app_comparison_keys').select(columns.app_comparison_keys);
  return reader.rows(query.orderBy('app_id').orderBy('source').orderBy('field').compile());
}
