import assert from 'node:assert/strict';
import { postgres } from '@appregistrar/testkit/engines/engines';
import { execute, storageTest } from '@appregistrar/testkit/storage/storage-test';
import { findApp } from '../../features/apps/app-queries.ts';

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

storageTest(postgres, 'a database in which the lookups of requests fail is not ready', async (storage) => {
  await storage.ping();
  await execute(storage.reader, 'alter table access_tokens rename to others');
  await assert.rejects(storage.ping(), /access_tokens/);
});
