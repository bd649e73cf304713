import assert from 'node:assert/strict';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { storageTest } from '@appregistrar/testkit/storage/storage-test';
import { developerRow } from '../../../test/storage/sample-rows.ts';
import { defineInsert, defineList } from '../query.ts';

const insertDeveloper = defineInsert('developers');
const listIds = defineList((db, { limit }: { limit: number }) =>
  db.selectFrom('developers').select('user_id').orderBy('user_id').limit(limit),
);

storageTest(sqlite, 'a constant limit is part of the query text', async ({ reader }) => {
  const { sql, parameters } = reader.builder.selectFrom('developers').select('user_id').limit(250).compile();
  assert.deepEqual([sql, parameters], ['select "user_id" from "developers" limit 250', []]);
});

storageTest(sqlite, 'a limit given as a value applies to that execution', async (storage) => {
  const ids = ['user_1', 'user_2', 'user_3'];
  await storage.write(async (transaction) => {
    for (const id of ids) await insertDeveloper(transaction, developerRow({ user_id: id, email: `${id}@example.com` }));
  });
  for (const limit of [2, 1, 3]) {
    const found = await listIds(storage.reader, { limit });
    assert.deepEqual(
      found.map((row) => row.user_id),
      ids.slice(0, limit),
    );
  }
});
