import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { rowsOf } from '@appregistrar/testkit/registry/recorded';
import { emptiedStorage, execute, forEachStorage, storageTest } from '@appregistrar/testkit/storage/storage-test';
import { developerRow, sampleRows, tableNames } from '../../test/storage/sample-rows.ts';
import { findAccessToken } from '../features/access/access-queries.ts';
import { findApp, findAppForUpdate, updateApp } from '../features/apps/app-queries.ts';
import { findDeveloper } from '../features/developers/developer-queries.ts';
import { findInstallation } from '../features/installations/installation-queries.ts';
import { type Connection, defineInsert } from './query.ts';
import type { Storage } from './storage.ts';
import { columns, type Tables } from './tables.ts';

type Insert = (transaction: Connection, table: keyof Tables) => Promise<unknown>;

const insertOneByOne: Insert = async (transaction, table) => {
  for (const row of sampleRows[table]) await defineInsert(table)(transaction, row as never);
};
const insertTogether: Insert = (transaction, table) => transaction.insertAll(table, sampleRows[table] as never);

/** Rows are read exactly as they were written. */
forEachStorage((engine) => {
  describe('rows', () => {
    const onStorage = emptiedStorage(engine);

    for (const [how, insert] of Object.entries({ 'one by one': insertOneByOne, together: insertTogether })) {
      storageTest(engine, `of any table are read as they were inserted ${how}`, async (storage) => {
        await insertSample(storage, insert);
        for (const table of tableNames) {
          const [key] = columns[table];
          const expected = sampleRows[table].map(plain);
          const keys = expected.map((row) => row[key]);
          const stored = (await rowsOf(storage, table)).map(plain);
          assert.deepEqual(
            stored.filter((row) => keys.includes(row[key])),
            expected,
          );
        }
      });
    }

    onStorage('an update stores every mutable column and returns the number of changed rows', async (storage) => {
      await insertSample(storage);
      const { id, developer_id, created_at } = sampleRows.apps[0];
      const changed = { ...sampleRows.apps[1], id, developer_id, created_at, name_claim: 'x', approved_name_key: null };
      await storage.write(async (transaction) => {
        assert.equal(await updateApp(transaction, changed), 1);
        assert.equal(await updateApp(transaction, { ...changed, id: 'app_9' }), 0);
      });
      assert.deepEqual({ ...(await findApp(storage.reader, { id })) }, changed);
    });

    storageTest(engine, 'are the same to queries after a newer release has added columns', async (storage) => {
      await insertSample(storage);
      const before = await readSome(storage);
      await storage.write(async (transaction) => {
        for (const table of tableNames) await execute(transaction, `alter table ${table} add column added_later text`);
      });
      assert.deepEqual(await readSome(storage), before);
      await storage.write((transaction) => transaction.insertNew('developers', [developerRow({ user_id: 'user_3' })]));
    });
  });
});

async function insertSample(storage: Storage, insert: Insert = insertTogether): Promise<void> {
  await storage.write(async (transaction) => {
    for (const table of tableNames) await insert(transaction, table);
  });
}

/** Converts a row to a plain object with bytes as text: comparing different bytes takes hours. */
function plain(row: object): Record<string, unknown> {
  const entries = Object.entries(row);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value]),
  );
}

/** The results of queries that return complete rows. */
async function readSome(storage: Storage): Promise<unknown[]> {
  const { reader } = storage;
  const id = 'app_2';
  return [
    await findApp(reader, { id }),
    await findDeveloper(reader, { userId: 'user_2' }),
    await findInstallation(reader, { id: 'installation_2' }),
    await findAccessToken(reader, { id: 'token_2' }),
    await storage.write((transaction) => findAppForUpdate(transaction, { id })),
  ];
}
