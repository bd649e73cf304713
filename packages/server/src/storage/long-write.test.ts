import assert from 'node:assert/strict';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { storageTest } from '@appregistrar/testkit/storage/storage-test';
import { developerRow } from '../../test/storage/sample-rows.ts';
import { findDeveloper } from '../features/developers/developer-queries.ts';

forEachEngine((engine) => {
  storageTest(engine, 'reads complete while one write stores many rows', async (storage) => {
    const [began, ended] = [Promise.withResolvers<void>(), new AbortController()];
    const write = storage.write(async (transaction) => {
      began.resolve();
      for (let batch = 0; batch < 5; batch += 1) await transaction.insertNew('developers', batchOf(1_000, batch));
      ended.abort();
    });
    await Promise.race([began.promise, write]);
    let reads = 0;
    for (; ; reads += 1) {
      await new Promise(setImmediate);
      if (ended.signal.aborted) break;
      await findDeveloper(storage.reader, { userId: 'user_0_0' });
    }
    await write;
    assert.ok(reads > 0);
  });
});

function batchOf(count: number, batch: number) {
  return Array.from({ length: count }, (_, number) => {
    const name = `${batch}_${number}`;
    return developerRow({ user_id: `user_${name}`, email: `${name}@example.com` });
  });
}
