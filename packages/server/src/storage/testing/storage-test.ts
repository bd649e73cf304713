import { type Engine, testOn } from '@appregistrar/testkit/engines/engines';
import { freshStorage } from '@appregistrar/testkit/engines/fresh-storage';
import { sql } from 'kysely';
import type { Connection } from '../query.ts';
import type { Storage } from '../storage.ts';

/** Declares a test with its own storage and the URL of its database, unless the run leaves the engine out. */
export function storageTest(
  engine: Engine,
  guarantee: string,
  check: (storage: Storage, url: string) => Promise<void>,
): void {
  testOn([engine], guarantee, async () => {
    const { storage, url, end } = await freshStorage(engine);
    try {
      await check(storage, url);
    } finally {
      await end();
    }
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
