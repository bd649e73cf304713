import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { postgres } from '@appregistrar/testkit/engines/engines';
import { alterDatabase, emptiedStorage, execute, storageTest } from '@appregistrar/testkit/storage/storage-test';
import { appRow, developerRow } from '../../../test/storage/sample-rows.ts';
import { findApp, findAppForUpdate, insertApp, updateInstallationCount } from '../../features/apps/app-queries.ts';
import { findDeveloper } from '../../features/developers/developer-queries.ts';
import { openStorage } from '../open-storage.ts';
import { type Connection, defineInsert } from '../query.ts';
import type { Storage } from '../storage.ts';
import { StorageUnavailable } from '../storage-failure.ts';

const insertDeveloper = defineInsert('developers');

describe('a lost race on PostgreSQL', () => {
  const onStorage = emptiedStorage(postgres);

  onStorage('a deadlock is resolved by repeating one write', async (storage) => {
    await storage.write(async (transaction) => {
      await insertDeveloper(transaction, developerRow());
      for (const id of ['app_1', 'app_2']) await insertApp(transaction, appRow({ id }));
    });
    let attempts = 0;
    const bothHoldOne = Promise.withResolvers<void>();
    const writes: Promise<void>[] = [];
    const countUp = (first: string, second: string) =>
      storage.write(async (transaction) => {
        // The victim could return before the other write gets its lock, and become the victim again.
        if (attempts === 2) await Promise.any(writes);
        await findAppForUpdate(transaction, { id: first });
        attempts += 1;
        if (attempts === 2) bothHoldOne.resolve();
        await bothHoldOne.promise;
        await findAppForUpdate(transaction, { id: second });
        for (const id of [first, second])
          await updateInstallationCount(transaction, { id, by: 1, revisionNonce: 'nonce' });
      });
    writes.push(countUp('app_1', 'app_2'), countUp('app_2', 'app_1'));
    await Promise.all(writes);
    assert.equal(attempts, 3);
    assert.equal((await findApp(storage.reader, { id: 'app_1' }))?.installation_count, 2);
    assert.equal((await findApp(storage.reader, { id: 'app_2' }))?.installation_count, 2);
  });

  onStorage('a serialization failure is retried and leaves nothing of the first attempt', async (storage) => {
    let attempts = 0;
    await storage.write(async (transaction) => {
      attempts += 1;
      await insertDeveloper(transaction, developerRow({ user_id: `user_${attempts}` }));
      if (attempts < 3) await raise(transaction, '40001');
    });
    assert.deepEqual(await userIds(storage), ['user_3']);
  });

  onStorage('a write that loses every time finally fails as unavailable', async (storage) => {
    let attempts = 0;
    const write = storage.write(async (transaction) => {
      attempts += 1;
      await raise(transaction, '40001');
    });
    await assert.rejects(write, StorageUnavailable);
    assert.equal(attempts, 6);
  });

  onStorage('a write that ignores a failed statement is not reported as stored', async (storage) => {
    const write = storage.write(async (transaction) => {
      await insertDeveloper(transaction, developerRow());
      await insertDeveloper(transaction, developerRow()).catch(() => {});
    });
    await assert.rejects(write, /a statement failed in the transaction/);
    assert.deepEqual(await userIds(storage), []);
  });
});

storageTest(
  postgres,
  'each statement of a write sees the latest commits at every default isolation level of the server',
  async (storage, url) => {
    await alterDatabase(storage, url, 'set default_transaction_isolation = serializable');
    const other = await openStorage(url);
    await other.write(async (transaction) => {
      assert.equal(await findDeveloper(transaction, { userId: 'user_1' }), null);
      await storage.write((inner) => insertDeveloper(inner, developerRow()));
      assert.ok(await findDeveloper(transaction, { userId: 'user_1' }));
    });
    await other.close();
  },
);

async function raise(connection: Connection, sqlState: string): Promise<void> {
  await execute(connection, `do $$ begin raise exception 'lost' using errcode = '${sqlState}'; end $$`);
}

async function userIds(storage: Storage): Promise<string[]> {
  const rows = await execute<{ user_id: string }>(storage.reader, 'select user_id from developers order by user_id');
  return rows.map((row) => row.user_id);
}
