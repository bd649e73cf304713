import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { sql } from 'kysely';
import { StorageUnavailable } from '../../failure.ts';
import { openStorage } from '../../open-storage.ts';
import type { Snapshot } from '../../snapshot.ts';
import type { Statement } from '../../statement.ts';
import { storageTest } from '../../testing/storage-test.ts';
import { SnapshotThreads } from './snapshot-threads.ts';

storageTest(sqlite, 'a long list does not hold up the thread that serves', async (storage) => {
  let isDone = false;
  const work = (snapshot: Snapshot) => snapshot.stream(countTo(snapshot, 2_000_000));
  const slow = storage
    .snapshot(work)
    .next()
    .finally(() => (isDone = true));
  let turns = 0;
  for (; !isDone; turns += 1) await new Promise(setImmediate);
  assert.deepEqual((await slow).value, [{ count: 2_000_000 }]);
  // A few without a thread.
  assert.ok(turns > 100, `${turns} turns of the event loop`);
});

test('a thread that ends makes its snapshots unavailable, and the next snapshot uses another thread', async () => {
  const { url, drop } = await sqlite.createMigratedDatabase();
  const storage = await openStorage(url);
  const workers: Worker[] = [];
  const record = (worker: Worker) => workers.push(worker);
  process.on('worker', record);
  const threads = new SnapshotThreads();
  const open = () => threads.open(url.slice('sqlite:'.length));
  const first = await open();
  const rows = first.batches(countTo(storage.reader, 2_000_000), 10).next();
  const refused = assert.rejects(rows, StorageUnavailable);
  await workers[0]?.terminate();
  await refused;
  await assert.rejects(first.batches(countTo(storage.reader, 3), 10).next(), StorageUnavailable);
  await first.close();
  const second = await open();
  assert.deepEqual((await second.batches(countTo(storage.reader, 3), 10).next()).value, [{ count: 3 }]);
  await second.close();
  process.off('worker', record);
  assert.equal(workers.length, 2);
  await workers[1]?.terminate();
  await storage.close();
  await drop();
});

function countTo({ builder }: Pick<Snapshot, 'builder'>, limit: number): Statement<{ count: number }> {
  return sql<{ count: number }>`with recursive counted (number) as
    (select 1 union all select number + 1 from counted where number < ${limit})
    select count(*) as count from counted`.compile(builder);
}
