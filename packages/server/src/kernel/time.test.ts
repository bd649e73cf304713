import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { deleteApp, restoreApp, transferApp, updateAppAsOperator } from '@appregistrar/testkit/calls/apps';
import { createWebhook, rotateWebhookSecret } from '@appregistrar/testkit/calls/webhooks';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { CapturedLog } from '@appregistrar/testkit/registry/captured-log';
import { importText } from '@appregistrar/testkit/registry/export-text';
import { eventsDuring, rowsOf } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import fc from 'fast-check';
import { sampleRows } from '../../test/storage/sample-rows.ts';
import { openSession } from '../features/access/browser-sessions.ts';
import { startMaintenance } from '../maintenance.ts';
import type { Storage } from '../storage/storage.ts';
import type { DeliveryRow, EventRow, IdempotencyKeyRow, WebhookRow } from '../storage/tables.ts';
import { commandLine, type Registry } from './registry.ts';
import { dateTime } from './text.ts';
import { type HostClock, observeClock, trustedTime } from './time.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const start = Date.parse('2026-03-01T09:30:00.000Z');

test('a time is formatted as Date.prototype.toISOString formats it, and an invalid one throws on every call', () => {
  const latest = Date.parse('9999-12-31T23:59:59.999Z');
  const isSame = (ms: number) => assert.equal(dateTime(ms), new Date(ms).toISOString());
  for (const ms of [-86_400_001, -1, 0, 1, 999, 1_000, 951_782_399_999, 951_782_400_000, latest]) isSame(ms);
  fc.assert(fc.property(fc.integer({ min: -latest, max: latest }), isSame), { numRuns: 5_000 });
  for (const ms of [Number.NaN, Number.POSITIVE_INFINITY, 1e17, 1e17]) assert.throws(() => dateTime(ms), RangeError);
});

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let registry: Registry;
  /** By how much the clock is ahead. */
  let wrongMs: number;
  /** Since the start. */
  let passedMs: number;
  beforeEach(async () => {
    wrongMs = 0;
    passedMs = 0;
    fixture = await RegistryFixture.open(engine, { now, machine: machineNamed('boot') });
    registry = fixture.registry;
  });
  afterEach(() => fixture.close());

  const now = () => start + passedMs + wrongMs;
  const machineNamed = (bootId: string): HostClock => ({ bootId, uptimeMs: () => hourMs + passedMs });
  /** A process on a machine that has been started again. */
  const restarted = (bootId: string): Registry => ({ ...registry, machine: machineNamed(bootId) });

  async function assertTrusted(time: number, on = registry): Promise<void> {
    assert.equal(await trustedTime(on), time);
  }

  /** Lets a service run until it trusts its clock. */
  async function confirm(on = registry): Promise<void> {
    for (let hours = 0; hours < 6; hours += 1) {
      await observeClock(on);
      passedMs += hourMs;
      if (hours < 5) await assertTrusted(0, on);
    }
    await assertTrusted(now(), on);
  }

  test('a new database trusts no clock until an observation six hours earlier confirms it', async () => {
    await assertTrusted(0);
    await confirm();
    passedMs += 100 * dayMs;
    await assertTrusted(now());
  });

  test('a clock that is set, forward or back, is not trusted until it is confirmed again', async () => {
    for (const jumpMs of [31 * dayMs, -31 * dayMs, 61_000]) {
      await confirm();
      wrongMs += jumpMs;
      await assertTrusted(0);
    }
    await confirm();
  });

  test('corrections of up to a minute in total preserve the trust', async () => {
    await confirm();
    for (wrongMs of [60_000, -60_000]) await assertTrusted(now());
  });

  test('a clock that is wrong for a moment at each start is never trusted', async () => {
    for (let starts = 0; starts < 10; starts += 1) {
      wrongMs = starts % 2 === 0 ? 31 * dayMs : 0;
      await observeClock(registry);
      await assertTrusted(0);
      passedMs += 5 * hourMs;
    }
  });

  test('a restarted process continues from earlier observations, even after days, and a restarted machine confirms its clock again', async () => {
    await observeClock(registry);
    passedMs += 20 * dayMs;
    await observeClock(registry);
    await assertTrusted(now());
    wrongMs = 31 * dayMs;
    const again = restarted('second boot');
    await observeClock(again);
    await assertTrusted(0, again);
    wrongMs = 0;
    // A wrong clock of another machine does not affect this one.
    await assertTrusted(now());
    await confirm(again);
  });

  test('a confirmed clock that is ahead of that of the database server is not believed', async () => {
    await confirm();
    const { reader, measures } = registry.storage;
    const ahead = (ms: number): Registry => ({
      ...registry,
      storage: { reader, measures: { ...measures, clockOffsetMs: async () => -ms } } as Storage,
    });
    await assertTrusted(now() - 31 * dayMs, ahead(31 * dayMs));
    for (const ms of [-31 * dayMs, 60_000]) await assertTrusted(now(), ahead(ms));
  });

  test('observations of machines that have been off for 30 days are deleted, but that of this one is not', async () => {
    const observed = async () => (await rowsOf(registry.storage, 'clock_observations')).map((row) => row.boot_id);
    await observeClock(restarted('off'));
    await confirm();
    passedMs += 29 * dayMs;
    await observeClock(restarted('recent'));
    await observeClock(registry);
    assert.deepEqual((await observed()).toSorted(), ['boot', 'off', 'recent']);
    passedMs += dayMs;
    await observeClock(registry);
    assert.deepEqual((await observed()).toSorted(), ['boot', 'recent']);
  });

  const log = new CapturedLog();
  const maintain = () => startMaintenance(registry, { logger: log.logger, deliveryRetentionDays: 30 })();
  const update = (appId: string, shortDescription: string) =>
    updateAppAsOperator(registry, commandLine, { appId, update: { listingInfo: { shortDescription } } });

  /** One row of each table that has rows which are deleted once they are old, stored now. */
  async function insertExpiring(): Promise<string> {
    const { id } = await fixture.newApp();
    await deleteApp(registry, commandLine, { appId: id });
    await openSession(registry, (await fixture.newToken('operator')).id);
    const event = sampleRows.events[0] as EventRow;
    const webhook = { ...(sampleRows.webhooks[0] as WebhookRow), disabled_at: now() };
    const sample = { ...(sampleRows.deliveries[0] as DeliveryRow), webhook_id: webhook.id, event_id: event.id };
    const delivery = { ...sample, state: 'delivered' as const, finished_at: now() };
    const key = { ...(sampleRows.idempotency_keys[0] as IdempotencyKeyRow), created_at: now() };
    await registry.storage.write(async (transaction) => {
      await transaction.insertNew('webhooks', [webhook]);
      await transaction.insertNew('events', [event]);
      await transaction.insertAll('deliveries', [delivery]);
      await transaction.insertNew('idempotency_keys', [key]);
    });
    return id;
  }

  async function assertExpiring(count: number): Promise<void> {
    for (const table of ['deleted_apps', 'deliveries', 'idempotency_keys', 'sessions'] as const) {
      assert.equal((await rowsOf(registry.storage, table)).length, count, table);
    }
  }

  test('a single reading of a clock that is ahead deletes nothing, not even through an import', async () => {
    const appId = await insertExpiring();
    await maintain();
    for (const aheadMs of [31 * dayMs, 80 * dayMs, 4_000 * dayMs]) {
      passedMs += 7 * hourMs;
      wrongMs = aheadMs;
      await maintain();
      await importText(registry, '');
      await assertExpiring(1);
      wrongMs = 0;
    }
    assert.equal((await restoreApp(registry, commandLine, appId)).id, appId);
  });

  test('old data is deleted after a wrong clock was corrected and confirmed', async () => {
    await insertExpiring();
    wrongMs = 31 * dayMs;
    await maintain();
    wrongMs = 0;
    passedMs += hourMs;
    await maintain();
    passedMs += 31 * dayMs;
    await maintain();
    await assertExpiring(0);
  });

  test('after a clock was ahead, changes have their true time, and only what was written meanwhile keeps the wrong one', async () => {
    const [touched, other, queued] = [await fixture.newApp(), await fixture.newApp(), await fixture.newApp()];
    const { id: webhookId } = await createWebhook(registry, commandLine, { url: 'https://hooks.example.com/' });
    wrongMs = 80 * dayMs;
    const { updatedAt } = await update(touched.id, 'From the future.');
    await update(queued.id, 'From the future.');
    wrongMs = 0;
    passedMs += hourMs;
    const trueTime = start + hourMs;

    const events = await eventsDuring(registry, async () => {
      assert.equal((await update(touched.id, 'Now.')).updatedAt, updatedAt);
      assert.equal((await fixture.review(touched.id, 'submit')).updatedAt, updatedAt);
      await fixture.review(touched.id, 'approve');
      const transfer = { developerId: fixture.otherDeveloper.id };
      await transferApp(registry, commandLine, { appId: touched.id, transfer });
      assert.equal((await update(other.id, 'Now.')).updatedAt, dateTime(trueTime));
      await rotateWebhookSecret(registry, commandLine, webhookId);
      // It keeps its place in the queue.
      assert.equal((await fixture.review(queued.id, 'submit')).submittedAt, dateTime(trueTime));
    });
    assert.equal(events.length, 7);
    assert.deepEqual(new Set(events.map(({ occurred_at: at }) => at)), new Set([trueTime]));
  });
});
