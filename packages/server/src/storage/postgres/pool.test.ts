import assert from 'node:assert/strict';
import { test } from 'node:test';
import { on, postgres } from '@appregistrar/testkit/engines/engines';
import { laterSchemas, laterVersion } from '@appregistrar/testkit/storage/later-schemas';
import { storageTest } from '@appregistrar/testkit/storage/storage-test';
import { sql } from 'kysely';
import { readConfig } from '../../config/config.ts';
import { startServer } from '../../serve.ts';
import { openStorage } from '../open-storage.ts';
import type { Connection } from '../query.ts';
import { schemaVersion } from '../schema.ts';

storageTest(postgres, 'a pool opens as many connections as it may, and no more', async (storage, url) => {
  const pools = { write: 2, read: 1, list: 3 };
  const other = await openStorage(`${url}&application_name=pools`, { pools });
  const count = () => countConnections(storage.reader);
  const slow = async (connection: Connection) =>
    void (await connection.rows(sql`select pg_sleep(0.05)`.compile(connection.builder)));
  await Promise.all(Array.from({ length: 5 }, () => other.write(slow)));
  assert.equal(await count(), pools.write + pools.read, 'one has read the schema');
  await Promise.all(Array.from({ length: 5 }, () => slow(other.reader)));
  assert.equal(await count(), pools.write + pools.read);
  const lists = Array.from({ length: 5 }, async () => {
    for await (const _ of other.snapshot(({ builder, rows }) =>
      rowsOf(rows(sql`select pg_sleep(0.05)`.compile(builder))),
    ));
  });
  await Promise.all(lists);
  assert.equal(await count(), pools.write + pools.read + pools.list);
  await other.close();
  assert.equal(await until(count, 0), 0);
});

storageTest(postgres, 'a server has pools of the configured sizes', async (storage, url) => {
  const sizes = { DATABASE_POOL_WRITE: '1', DATABASE_POOL_READ: '1', DATABASE_POOL_LIST: '1' };
  const addresses = { PUBLIC_ADDRESS: '127.0.0.1:0', OPERATOR_ADDRESS: '127.0.0.1:0', LOG_LEVEL: 'silent' };
  const server = await startServer(
    readConfig({ ...addresses, ...sizes, DATABASE_URL: `${url}&application_name=pools` }),
  );
  const { port } = server.operatorAddress;
  const checks = Array.from({ length: 20 }, () => fetch(`http://127.0.0.1:${port}/readyz`));
  for (const response of await Promise.all(checks)) assert.equal(response.status, 200);
  assert.ok((await countConnections(storage.reader)) <= 3);
  await server.stop();
});

test('a database is migrated with pools of one connection', on(postgres), async () => {
  const { url, drop } = await postgres.createMigratedDatabase();
  const storage = await openStorage(url, { schemas: laterSchemas, pools: { write: 1, read: 1, list: 1 } });
  assert.equal(await schemaVersion(storage), laterVersion);
  await storage.close();
  await drop();
});

async function* rowsOf(rows: Promise<unknown[]>): AsyncGenerator<unknown, undefined> {
  yield* await rows;
}

async function countConnections(reader: Connection): Promise<number> {
  const query = sql<{ count: number }>`
    select count(*) from pg_stat_activity where application_name = 'pools' and datname = current_database()`;
  const [row] = await reader.rows(query.compile(reader.builder));
  return Number(row?.count);
}

/** A closed connection ends a moment later. */
async function until(count: () => Promise<number>, wanted: number): Promise<number> {
  for (;;) {
    const counted = await count();
    if (counted === wanted) return counted;
  }
}
