import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { postgres } from '@appregistrar/testkit/engines/engines';
import { StorageUnavailable } from '../failure.ts';
import { findApp } from '../queries/apps.ts';
import { openingConformance, storageConformance } from '../testing/conformance.ts';
import { execute, storageTest } from '../testing/storage-test.ts';

describe('PostgreSQL', () => {
  storageConformance(postgres);
  openingConformance(postgres);
});

storageTest(postgres, 'a query is prepared once on a connection', async (storage) => {
  await storage.write(async (transaction) => {
    for (let at = 0; at < 5; at += 1) await findApp(transaction, { id: `app_${at}` });
    const prepared = await execute<{ times: number }>(
      transaction,
      `select generic_plans + custom_plans as times from pg_prepared_statements where statement like '%from "apps"%'`,
    );
    assert.deepEqual(prepared, [{ times: 5 }]);
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
  await assert.rejects(storage.gate.findToken('hash'), StorageUnavailable);
  release.resolve();
  await lock;
  assert.equal(await storage.gate.findToken('hash'), null);
});

storageTest(postgres, 'a database in which the lookups of requests fail is not ready', async (storage) => {
  await storage.ping();
  await execute(storage.reader, 'alter table access_tokens rename to others');
  await assert.rejects(storage.ping(), /access_tokens/);
});
