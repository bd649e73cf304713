import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Registry } from 'prom-client';
import { measuredGauge } from './measured-gauge.ts';

const named = { name: 'size', help: 'Size.' };

test('a gauge is measured when it is read, and left out while it cannot be', async () => {
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

test('a label has the values of the last measurement, and no others', async () => {
  const metrics = new Registry();
  let measured: Record<string, number> = { platform: 1, operator: 2 };
  measuredGauge(metrics, { ...named, label: 'kind', measure: async () => measured });
  assert.deepEqual(await samples(metrics), ['size{kind="platform"} 1', 'size{kind="operator"} 2']);
  measured = { operator: 3 };
  assert.deepEqual(await samples(metrics), ['size{kind="operator"} 3']);
});

test('what does not answer is asked once however many read, and keeps them from the rest for two seconds', async () => {
  const metrics = new Registry();
  let asked = 0;
  const answer = Promise.withResolvers<number>();
  measuredGauge(metrics, {
    ...named,
    measure: () => {
      asked += 1;
      return answer.promise;
    },
  });
  measuredGauge(metrics, { ...named, name: 'other', measure: async () => 1 });
  const begunAt = performance.now();
  assert.deepEqual(await Promise.all([samples(metrics), samples(metrics)]), [['other 1'], ['other 1']]);
  const passedMs = performance.now() - begunAt;
  assert.ok(passedMs > 1_900 && passedMs < 9_000, String(passedMs));
  assert.equal(asked, 1);
  const read = samples(metrics);
  answer.resolve(5);
  assert.deepEqual(await read, ['size 5', 'other 1']);
  assert.equal(asked, 1);
});

async function samples(metrics: Registry): Promise<string[]> {
  return (await metrics.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}
