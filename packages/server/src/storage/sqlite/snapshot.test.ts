import assert from 'node:assert/strict';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { storageTest } from '@appregistrar/testkit/storage/storage-test';
import { sql } from 'kysely';
import { developerRow } from '../../../test/storage/sample-rows.ts';
import type { Snapshot } from '../query.ts';
import type { Storage } from '../storage.ts';

storageTest(sqlite, 'other requests are served between the batches of a long list', async (storage) => {
  const rows = Array.from({ length: 100 }, (_, at) => developerRow({ user_id: `user_${at}` }));
  await storage.write((transaction) => transaction.insertNew('developers', rows));
  const turns = await turnsDuring(storage, async function* (snapshot) {
    const query = snapshot.builder.selectFrom('developers').select('user_id').compile();
    for await (const batch of snapshot.stream(query, { rowsMax: 10 })) yield batch;
  });
  assert.ok(turns >= 10, `${turns} turns of the event loop`);
});

storageTest(sqlite, 'other requests are served within a batch whose rows take long', async (storage) => {
  const turns = await turnsDuring(storage, (snapshot) => snapshot.stream(slowRows(snapshot)));
  assert.ok(turns >= 5, `${turns} turns of the event loop`);
});

storageTest(sqlite, 'other requests are served between small queries of one snapshot', async (storage) => {
  const turns = await turnsDuring(storage, async function* (snapshot) {
    for (let at = 0; at < 20; at += 1) yield await snapshot.rows(slowRows(snapshot, 10));
  });
  assert.ok(turns >= 5, `${turns} turns of the event loop`);
});

/** Each row takes more than a tenth of a millisecond. */
function slowRows({ builder }: Snapshot, count = 400) {
  const numbers = (name: string, to: number) => sql`${sql.ref(name)} (number) as
    (select 1 union all select number + 1 from ${sql.ref(name)} where number < ${sql.lit(to)})`;
  return sql`with recursive ${numbers('few', count)}, ${numbers('many', 1_000)}
    select number, (select sum(many.number * few.number) from many) as total from few`.compile(builder);
}

async function turnsDuring(storage: Storage, work: (snapshot: Snapshot) => AsyncIterable<unknown>): Promise<number> {
  let isDone = false;
  const reading = (async () => {
    for await (const _ of storage.snapshot(work));
  })().finally(() => (isDone = true));
  let turns = 0;
  for (; !isDone; turns += 1) await new Promise(setImmediate);
  await reading;
  return turns;
}
