import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { rowsOf } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import type { Storage } from '../storage/storage.ts';
import type { Registry } from './registry.ts';
import { type HostClock, observeClock, trustedTime } from './time.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const start = Date.parse('2026-03-01T09:30:00.000Z');

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  /** By how much the clock is ahead. */
  let wrongMs: number;
  /** Since the start. */
  let passedMs: number;
  beforeEach(async () => {
    wrongMs = 0;
    passedMs = 0;
    fixture = await RegistryFixture.open(engine, { now, machine: machineNamed('boot') });
  });
  afterEach(() => fixture.close());

  const now = () => start + passedMs + wrongMs;
  const machineNamed = (bootId: string): HostClock => ({ bootId, uptimeMs: () => hourMs + passedMs });
  /** A process on a machine that has been started again. */
  const restarted = (bootId: string): Registry => ({ ...fixture.registry, machine: machineNamed(bootId) });
  const observations = async () =>
    (await rowsOf(fixture.registry.storage, 'clock_observations')).map(({ boot_id: id }) => id);

  /** An hour of a running service. */
  async function hourOf(registry: Registry = fixture.registry): Promise<void> {
    await observeClock(registry);
    passedMs += hourMs;
  }

  async function confirm(registry: Registry = fixture.registry): Promise<void> {
    for (let hours = 0; hours < 6; hours += 1) {
      await hourOf(registry);
      if (hours < 5) assert.equal(await trustedTime(registry), 0);
    }
    assert.equal(await trustedTime(registry), now());
  }

  test('a new database trusts no clock until an observation six hours earlier confirms it', async () => {
    assert.equal(await trustedTime(fixture.registry), 0);
    await confirm();
    passedMs += 100 * dayMs;
    assert.equal(await trustedTime(fixture.registry), now());
  });

  test('a clock that is set, forward or back, is not trusted until it is confirmed again', async () => {
    for (const jumpMs of [31 * dayMs, -31 * dayMs, -80 * dayMs, 61_000]) {
      await confirm();
      wrongMs += jumpMs;
      assert.equal(await trustedTime(fixture.registry), 0);
    }
    wrongMs = 0;
    await confirm();
  });

  test('a clock that is wrong at the first observation and corrected later is trusted once it is right for six hours', async () => {
    wrongMs = 80 * dayMs;
    await hourOf();
    await hourOf();
    wrongMs = 0;
    await confirm();
  });

  test('a clock that is wrong for a moment at each start is never trusted', async () => {
    for (let starts = 0; starts < 10; starts += 1) {
      wrongMs = starts % 2 === 0 ? 31 * dayMs : 0;
      await observeClock(fixture.registry);
      assert.equal(await trustedTime(fixture.registry), 0);
      passedMs += 5 * hourMs;
    }
  });

  test('corrections of up to a minute in total preserve the trust', async () => {
    await confirm();
    wrongMs = 60_000;
    assert.equal(await trustedTime(fixture.registry), now());
    wrongMs = -60_000;
    assert.equal(await trustedTime(fixture.registry), now());
  });

  test('a restarted process continues from earlier observations, even after days', async () => {
    await hourOf();
    passedMs += 20 * dayMs;
    await observeClock(fixture.registry);
    assert.equal(await trustedTime(fixture.registry), now());
  });

  test('a machine that is restarted confirms its clock again', async () => {
    await confirm();
    wrongMs = 31 * dayMs;
    const registry = restarted('second boot');
    await observeClock(registry);
    assert.equal(await trustedTime(registry), 0);
    wrongMs = 0;
    await confirm(registry);
  });

  test('each machine confirms its own clock, and a wrong one does not affect the others', async () => {
    const other = restarted('other machine');
    await confirm();
    wrongMs = 80 * dayMs;
    await observeClock(other);
    assert.equal(await trustedTime(other), 0);
    wrongMs = 0;
    assert.equal(await trustedTime(fixture.registry), now());
  });

  test('an uptime that is less than at the observation confirms nothing', async () => {
    await confirm();
    const uptimeMs = () => 0;
    assert.equal(await trustedTime({ ...fixture.registry, machine: { bootId: 'boot', uptimeMs } }), 0);
  });

  test('a confirmed clock that is ahead of that of the database server is not believed', async () => {
    await confirm();
    const { reader, measures } = fixture.registry.storage;
    const ahead = (ms: number): Registry => ({
      ...fixture.registry,
      storage: { reader, measures: { ...measures, clockOffsetMs: async () => -ms } } as Storage,
    });
    assert.equal(await trustedTime(ahead(31 * dayMs)), now() - 31 * dayMs);
    assert.equal(await trustedTime(ahead(-31 * dayMs)), now());
    assert.equal(await trustedTime(ahead(60_000)), now());
  });

  test('observations of machines that have been off for 30 days are deleted, but that of this one is not', async () => {
    await observeClock(restarted('off'));
    await confirm();
    passedMs += 29 * dayMs;
    await observeClock(restarted('recent'));
    await observeClock(fixture.registry);
    assert.deepEqual((await observations()).toSorted(), ['boot', 'off', 'recent']);
    passedMs += dayMs;
    await observeClock(fixture.registry);
    assert.deepEqual((await observations()).toSorted(), ['boot', 'recent']);
  });
});
