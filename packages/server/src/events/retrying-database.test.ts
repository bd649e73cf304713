import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CapturedLog } from '@appregistrar/testkit/registry/captured-log';
import { RetryingDatabase } from './retrying-database.ts';

test('the loss of the database is logged once, and its recovery once it has worked for ten pauses', async () => {
  let elapsedMs = 0;
  const log = new CapturedLog();
  const pauseMs = 1;
  const ended = new AbortController().signal;
  const database = new RetryingDatabase({ logger: log.logger, pauseMs, ended, elapsedMs: () => elapsedMs });
  const work = () => database.run(async () => 'done');
  const failing = () => database.run(() => Promise.reject(new Error('lost')));
  const messages = () => log.lines.map(({ msg }) => msg);

  assert.equal(await work(), 'done');
  for (let failures = 0; failures < 2; failures += 1) assert.equal(await failing(), undefined);
  assert.deepEqual(messages(), ['event delivery paused: database unavailable']);
  elapsedMs = 9;
  assert.equal(await work(), 'done');
  await failing();
  elapsedMs = 18;
  await work();
  assert.equal(messages().length, 1);
  elapsedMs = 19;
  await work();
  assert.deepEqual(messages(), ['event delivery paused: database unavailable', 'event delivery resumed']);
  await failing();
  assert.equal(messages().length, 3);
});

test('a pause ends with the process', async () => {
  const ended = AbortSignal.abort();
  const database = new RetryingDatabase({ logger: new CapturedLog().logger, pauseMs: 86_400_000, ended });
  assert.equal(await database.run(() => Promise.reject(new Error('lost'))), undefined);
});
