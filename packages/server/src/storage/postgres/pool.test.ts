import assert from 'node:assert/strict';
import { test } from 'node:test';
import { on, postgres } from '@appregistrar/testkit/engines/engines';
import { CapturedLog } from '@appregistrar/testkit/registry/captured-log';
import { laterSchemas, laterVersion } from '@appregistrar/testkit/storage/later-schemas';
import { collect, storageTest } from '@appregistrar/testkit/storage/storage-test';
import { sql } from 'kysely';
import { readConfig } from '../../config/config.ts';
import { openDatabase } from '../../open-database.ts';
import { openStorage } from '../open-storage.ts';
import type { Reader, Snapshot } from '../query.ts';
import { schemaVersion } from '../schema.ts';

storageTest(postgres, 'a server opens as many connections as its pools may, and no more', async (storage, url) => {
  const variables = { DATABASE_POOL_WRITE: '2', DATABASE_POOL_READ: '1', DATABASE_POOL_LIST: '3' };
  const config = readConfig({ ...variables, DATABASE_URL: `${url}&application_name=pools` });
  const other = await openDatabase(config, { logger: new CapturedLog().logger, onSyncFailed: () => {} });
  const count = () => countConnections(storage.reader);
  const slow = (reader: Reader) => reader.rows(sql`select pg_sleep(0.05)`.compile(reader.builder));
  await Promise.all(Array.from({ length: 5 }, () => other.write(slow)));
  assert.equal(await count(), 2 + 1, 'one has read the schema');
  await Promise.all(Array.from({ length: 5 }, () => slow(other.reader)));
  assert.equal(await count(), 2 + 1);
  const list = async function* (snapshot: Snapshot) {
    yield await slow(snapshot);
  };
  await Promise.all(Array.from({ length: 5 }, () => collect(other.snapshot(list))));
  assert.equal(await count(), 2 + 1 + 3);
  await other.close();
  // A closed connection ends a moment later.
  while ((await count()) > 0);
});

test('a database is migrated with pools of one connection', on(postgres), async () => {
  const { url, drop } = await postgres.createMigratedDatabase();
  const storage = await openStorage(url, { schemas: laterSchemas, pools: { write: 1, read: 1, list: 1 } });
  assert.equal(await schemaVersion(storage), laterVersion);
  await storage.close();
  await drop();
});

async function countConnections(reader: Reader): Promise<number> {
  const query = sql<{ count: number }>`
    select count(*) from pg_stat_activity where application_name = 'pools' and datname = current_database()`;
  const [row] = await reader.rows(query.compile(reader.builder));
  return Number(row?.count);
}
