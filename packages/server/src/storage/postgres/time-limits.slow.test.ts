import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { postgres } from '@appregistrar/testkit/engines/engines';
import { execute, storageTest } from '@appregistrar/testkit/storage/storage-test';
import { appRow, developerRow } from '../../../test/storage/sample-rows.ts';
import { findApp, findAppForUpdate, insertApp, updateInstallationCount } from '../../features/apps/app-queries.ts';
import { openStorage } from '../open-storage.ts';
import type { Connection } from '../query.ts';
import { StorageUnavailable, UnusableDatabase } from '../storage-failure.ts';

test('a server that takes the connection and never responds is unusable', async (t) => {
  const server = createServer(() => {}).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `postgres://ada:secret@127.0.0.1:${port}/registry?connect_timeout=1`;
  await assert.rejects(openStorage(url), (error) => {
    assert.ok(error instanceof UnusableDatabase, String(error));
    assert.match(error.message, /cannot be reached: Connection terminated due to connection timeout\.$/);
    return true;
  });
});

storageTest(postgres, 'a lookup that gets no response is unavailable, and the next one succeeds', async (storage) => {
  // Like a server that is stopped, whose machine still accepts connections and data.
  const release = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const lock = storage.write(async (transaction) => {
    await execute(transaction, 'lock table access_tokens in access exclusive mode');
    locked.resolve();
    await release.promise;
  });
  await locked.promise;
  await assert.rejects(storage.requestLookups.findToken('hash'), StorageUnavailable);
  release.resolve();
  await lock;
  assert.equal(await storage.requestLookups.findToken('hash'), null);
});

storageTest(
  postgres,
  'writes of one app fail when they wait for earlier ones longer than five seconds',
  async (storage, url) => {
    const id = 'app_1';
    await storage.write(async (transaction) => {
      await transaction.insertNew('developers', [developerRow()]);
      await insertApp(transaction, appRow({ id }));
    });
    const other = await openStorage(url);
    const countUp = (transaction: Connection) =>
      updateInstallationCount(transaction, { id, by: 1, revisionNonce: 'nonce' });
    const onApp = () => other.write(countUp, { groupKey: id });
    await storage.write(async (transaction) => {
      await findAppForUpdate(transaction, { id });
      const first = onApp();
      await assert.rejects(onApp(), StorageUnavailable);
      first.catch(() => {});
    });
    await onApp();
    assert.equal((await findApp(storage.reader, { id }))?.installation_count, 2);
    await other.close();
  },
);
