import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SeededRandom } from '../../scripts/seeded-random.ts';
import { Series } from './series.ts';

test('growth is measured although one sample in five is an outlier', () => {
  const { growth, quarters } = seriesOf((at) => 1_000 + at);
  assert.ok(Math.abs(growth - 99) < 10, `${growth}`);
  assert.ok(Math.abs(quarters.last - quarters.first - 75) < 20, JSON.stringify(quarters));
});

test('a constant figure does not grow although one sample in five is an outlier', () => {
  const { growth, quarters } = seriesOf(() => 1_000);
  assert.ok(Math.abs(growth) < 10, `${growth}`);
  assert.ok(Math.abs(quarters.last - quarters.first) < 10, JSON.stringify(quarters));
});

test('the median of an even number of samples is the mean of the two in the middle', () => {
  const series = new Series();
  for (const value of [1, 2, 3, 4, 5, 6, 7, 8]) series.add(value);
  assert.deepEqual(series.quarters, { first: 1.5, last: 7.5 });
  assert.equal(series.growth, 7);
});

/** A hundred noisy samples, one in five of them an outlier. */
function seriesOf(valueAt: (at: number) => number): Series {
  const random = new SeededRandom(1, 'noise');
  const series = new Series();
  for (let at = 0; at < 100; at += 1) {
    const outlier = random.chance(0.2) ? random.between(200, 2_000) : 0;
    series.add(valueAt(at) + random.between(-5, 5) + outlier);
  }
  return series;
}
