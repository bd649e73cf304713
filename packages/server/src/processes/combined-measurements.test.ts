import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ScrapedMetrics } from '@appregistrar/testkit/http/scraped-metrics';
import { Counter, Histogram, type Registry } from 'prom-client';
import { HttpMetrics } from '../http/listener/metrics.ts';
import { measuredGauge } from '../metrics/measured-gauge.ts';
import { onlyLasting, sumOf, textOf } from './combined-measurements.ts';

test('counters and histograms are summed, and a measurement of the whole registry is taken from one process', async () => {
  const processes = [measuredProcess(2), measuredProcess(3)] as const;
  const measured = [await processes[0].metrics.all(), await processes[1].metrics.ownOfProcess()];
  const scraped = new ScrapedMetrics(await textOf(measured));
  assert.equal(scraped.value('changes_total{kind="a"}'), 5);
  assert.equal(scraped.value('seconds_bucket{le="1"}'), 5);
  assert.equal(scraped.value('seconds_sum'), 2.5);
  assert.equal(scraped.value('database_rows'), 7);
  assert.equal(scraped.value('waiting{pool="read"}'), 5);
  assert.deepEqual(
    processes.map(({ scans }) => scans()),
    [1, 0],
  );
});

test('counters and histograms of an ended process are retained, and sums can be summed again', async () => {
  const ended = [await measuredProcess(2).metrics.all(), await measuredProcess(3).metrics.all()];
  const lasting = await sumOf(ended.map(onlyLasting));
  const scraped = new ScrapedMetrics(await textOf([await measuredProcess(4).metrics.all(), lasting]));
  assert.equal(scraped.value('changes_total{kind="a"}'), 9);
  assert.equal(scraped.value('seconds_count'), 9);
  assert.equal(scraped.value('waiting{pool="read"}'), 4);
});

/** The metrics of a process with this many changes, and how often the gauge of the database was measured. */
function measuredProcess(changes: number) {
  const metrics = new HttpMetrics();
  const registers: [Registry] = [metrics.registry];
  new Counter({ name: 'changes_total', help: 'x', labelNames: ['kind'], registers }).inc({ kind: 'a' }, changes);
  const histogram = new Histogram({ name: 'seconds', help: 'x', buckets: [1], registers });
  for (let count = 0; count < changes; count += 1) histogram.observe(0.5);
  let scans = 0;
  measuredGauge(metrics.registry, {
    name: 'database_rows',
    help: 'x',
    measure: async () => {
      scans += 1;
      return 7;
    },
  });
  const waiting = { name: 'waiting', help: 'x', label: 'pool', aggregator: 'sum' } as const;
  measuredGauge(metrics.registry, { ...waiting, measure: async () => ({ read: changes }) });
  return { metrics, scans: () => scans };
}
