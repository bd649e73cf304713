import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Registry } from 'prom-client';
import { measuredGauge } from './registry-metrics.ts';

const named = { name: 'size', help: 'Size.' };

test('a gauge is measured when it is read, and omitted when measuring fails', async () => {
  const metrics = new Registry();
  let size: number | undefined = 7;
  const measure = async () => size ?? Promise.reject(new Error('the database is lost'));
  measuredGauge(metrics, { ...named, measure });
  measuredGauge(metrics, { ...named, name: 'ready', otherwise: 0, measure });
  assert.deepEqual(await samples(metrics), ['size 7', 'ready 7']);
  size = undefined;
  assert.deepEqual(await samples(metrics), ['ready 0']);
  size = 0;
  assert.deepEqual(await samples(metrics), ['size 0', 'ready 0']);
});

test('a label has only the values of the last measurement', async () => {
  const metrics = new Registry();
  let measured: Record<string, number> = { platform: 1, operator: 2 };
  measuredGauge(metrics, { ...named, label: 'kind', measure: async () => measured });
  assert.deepEqual(await samples(metrics), ['size{kind="platform"} 1', 'size{kind="operator"} 2']);
  measured = { operator: 3 };
  assert.deepEqual(await samples(metrics), ['size{kind="operator"} 3']);
});

test('an unresponsive measurement runs once for all readers, and is omitted once it takes too long', async () => {
  const metrics = new Registry();
  let measurements = 0;
  const measured = Promise.withResolvers<number>();
  const tooLate = Promise.withResolvers<void>();
  let waiting = tooLate.promise;
  measuredGauge(metrics, {
    ...named,
    tooLate: () => waiting,
    measure: () => {
      measurements += 1;
      return measured.promise;
    },
  });
  measuredGauge(metrics, { ...named, name: 'other', measure: async () => 1 });
  const both = Promise.all([samples(metrics), samples(metrics)]);
  tooLate.resolve();
  assert.deepEqual(await both, [['other 1'], ['other 1']]);
  assert.equal(measurements, 1);
  waiting = Promise.withResolvers<void>().promise;
  const read = samples(metrics);
  measured.resolve(5);
  assert.deepEqual(await read, ['size 5', 'other 1']);
  assert.equal(measurements, 1);
});

async function samples(metrics: Registry): Promise<string[]> {
  return (await metrics.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}
