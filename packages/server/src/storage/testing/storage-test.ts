import { after, before, test } from 'node:test';
import { type Engine, isTested, on } from '@appregistrar/testkit/engines/engines';
import { type FreshStorage, freshStorage } from '@appregistrar/testkit/engines/fresh-storage';
import { sql } from 'kysely';
import type { Connection } from '../query.ts';
import type { Storage } from '../storage.ts';
import { tableNames } from './sample-rows.ts';

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
  const tables = tableNames.filter((table) => !tablesOfOneRow.includes(table));
  await storage.write(async (transaction) => {
    // Rows that refer to others are in later tables.
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
