import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import type { Worker } from 'node:worker_threads';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { storageTest } from '../testing/storage-test.ts';
import { SqliteCheckpoints } from './checkpoints.ts';

storageTest(sqlite, 'a new thread makes the checkpoints after the previous one has ended', async (_storage, url) => {
  const checkpoints = new SqliteCheckpoints(url.slice('sqlite:'.length), 1);
  const started: Worker[] = [];
  const onWorker = (worker: Worker) => started.push(worker);
  process.on('worker', onWorker);
  await checkpoints.restart((commit) => commit());
  await started[0]?.terminate();
  await checkpoints.restart((commit) => commit());
  process.off('worker', onWorker);
  assert.equal(started.length, 2);
  await checkpoints.close();
});

storageTest(sqlite, 'writes go on after a failure between the lock of the log and its commit', async (storage, url) => {
  const checkpoints = new SqliteCheckpoints(url.slice('sqlite:'.length), 1);
  await checkpoints.restart(() => Promise.reject(new Error('failed')));
  await storage.ping();
  await checkpoints.close();
});

storageTest(sqlite, 'checkpoints are closed although the file cannot be opened', async (_storage, url) => {
  const folder = `${url.slice('sqlite:'.length)}-folder`;
  await mkdir(folder);
  const checkpoints = new SqliteCheckpoints(folder, 1);
  checkpoints.copyWhenDue(1);
  await once(process, 'worker');
  await checkpoints.close();
  await rm(folder, { recursive: true });
});
