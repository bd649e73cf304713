import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sqliteInMemory } from '@appregistrar/testkit/engines/engines';
import { ScrapedMetrics } from '@appregistrar/testkit/http/scraped-metrics';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { Registry } from 'prom-client';
import { watchClock } from './registry-metrics.ts';

const dayMs = 86_400_000;

test('each jump of the clock is counted and reported once; passing time and small corrections are not', async ({
  mock,
}) => {
  let now = Date.parse('2026-03-01T09:30:00.000Z');
  let uptimeMs = dayMs;
  const machine = { bootId: 'boot', uptimeMs: () => uptimeMs };
  const fixture = await RegistryFixture.open(sqliteInMemory, { now: () => now, machine });
  mock.timers.enable({ apis: ['setInterval'] });
  const metrics = new Registry();
  const jumps: number[] = [];
  const end = watchClock(fixture.registry, metrics, (jumpMs) => jumps.push(jumpMs));
  const pass = (ms: number, jumpMs = 0) => {
    uptimeMs += ms;
    now += ms + jumpMs;
    mock.timers.tick(1_000);
  };
  const counted = async () => new ScrapedMetrics(await metrics.metrics()).value('clock_jumps_total');
  for (let corrections = 0; corrections < 10; corrections += 1) pass(1_000, 4_999);
  // The machine was asleep, or the process stopped.
  pass(dayMs);
  assert.deepEqual([jumps, await counted()], [[], 0]);
  pass(1_000, 80 * dayMs);
  pass(1_000);
  assert.deepEqual([jumps, await counted()], [[80 * dayMs], 1]);
  pass(1_000, -80 * dayMs);
  assert.deepEqual([jumps, await counted()], [[80 * dayMs, -80 * dayMs], 2]);
  end();
  pass(1_000, dayMs);
  assert.equal(jumps.length, 2);
  await fixture.close();
});
