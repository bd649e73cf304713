import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
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

test('a failure pauses the work, until the process ends', async () => {
  const process = new AbortController();
  const options = { logger: new CapturedLog().logger, pauseMs: 86_400_000, ended: process.signal };
  let isOver = false;
  const failing = new RetryingDatabase(options)
    .run(() => Promise.reject(new Error('lost')))
    .finally(() => {
      isOver = true;
    });
  for (let turns = 0; turns < 10; turns += 1) await nextTurn();
  assert.equal(isOver, false);
  process.abort();
  assert.equal(await failing, undefined);
});
