import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { deleteApp, restoreApp, transferApp, updateAppAsOperator } from '@appregistrar/testkit/calls/apps';
import { createWebhook, rotateWebhookSecret } from '@appregistrar/testkit/calls/webhooks';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { CapturedLog } from '@appregistrar/testkit/registry/captured-log';
import { importText } from '@appregistrar/testkit/registry/export-text';
import { rowsOf } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { sampleRows } from '../../test/storage/sample-rows.ts';
import { openSession } from '../features/access/browser-sessions.ts';
import { startMaintenance } from '../maintenance.ts';
import type { DeliveryRow, EventRow, IdempotencyKeyRow, Tables, WebhookRow } from '../storage/tables.ts';
import { commandLine } from './registry.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const start = Date.parse('2026-03-01T09:30:00.000Z');
/** The tables that have rows which are deleted once they are old. */
const expiring = ['deleted_apps', 'deliveries', 'idempotency_keys', 'sessions'] as const satisfies (keyof Tables)[];

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  /** By how much the clock is ahead. */
  let wrongMs: number;
  /** Since the start. */
  let passedMs: number;
  beforeEach(async () => {
    wrongMs = 0;
    passedMs = 0;
    const machine = { bootId: 'boot', uptimeMs: () => passedMs };
    fixture = await RegistryFixture.open(engine, { now: () => start + passedMs + wrongMs, machine });
  });
  afterEach(() => fixture.close());

  const log = new CapturedLog();
  const maintain = () => startMaintenance(fixture.registry, { logger: log.logger, deliveryRetentionDays: 30 })();
  const counts = async () =>
    Object.fromEntries(
      await Promise.all(
        expiring.map(async (table) => [table, (await rowsOf(fixture.registry.storage, table)).length] as const),
      ),
    );
  const update = (appId: string, shortDescription: string) =>
    updateAppAsOperator(fixture.registry, commandLine, { appId, update: { listingInfo: { shortDescription } } });

  /** One row of each table that expires, stored now. */
  async function insertExpiring(): Promise<string> {
    const { registry } = fixture;
    const { id } = await fixture.newApp();
    await deleteApp(registry, commandLine, { appId: id });
    await openSession(registry, (await fixture.newToken('operator')).id);
    const at = registry.now();
    const event = sampleRows.events[0] as EventRow;
    const webhook = { ...(sampleRows.webhooks[0] as WebhookRow), disabled_at: at };
    const delivery = { ...(sampleRows.deliveries[0] as DeliveryRow), webhook_id: webhook.id, event_id: event.id };
    await registry.storage.write(async (transaction) => {
      await transaction.insertNew('webhooks', [webhook]);
      await transaction.insertNew('events', [event]);
      await transaction.insertNew('deliveries', [{ ...delivery, state: 'delivered', finished_at: at }]);
      await transaction.insertNew('idempotency_keys', [
        { ...(sampleRows.idempotency_keys[0] as IdempotencyKeyRow), created_at: at },
      ]);
    });
    return id;
  }

  test('a single reading of a clock that is ahead deletes nothing, not even through an import', async () => {
    const appId = await insertExpiring();
    await maintain();
    const stored = await counts();
    assert.deepEqual(Object.values(stored), [1, 1, 1, 1]);
    for (const aheadMs of [31 * dayMs, 80 * dayMs, 4_000 * dayMs]) {
      passedMs += 7 * hourMs;
      wrongMs = aheadMs;
      await maintain();
      await importText(fixture.registry, '');
      assert.deepEqual(await counts(), stored);
      wrongMs = 0;
    }
    assert.equal((await restoreApp(fixture.registry, commandLine, appId)).id, appId);
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
    assert.deepEqual(Object.values(await counts()), [0, 0, 0, 0]);
  });

  test('after a clock was ahead, changes have their true time, and only what was written meanwhile keeps the wrong one', async () => {
    const [touched, other] = [await fixture.newApp(), await fixture.newApp()];
    const webhook = await createWebhook(fixture.registry, commandLine, { url: 'https://hooks.example.com/' });
    wrongMs = 80 * dayMs;
    const { updatedAt } = await update(touched.id, 'From the future.');
    wrongMs = 0;
    passedMs += hourMs;
    const trueTime = start + hourMs;

    assert.equal((await update(touched.id, 'Now.')).updatedAt, updatedAt);
    assert.equal((await fixture.review(touched.id, 'submit')).updatedAt, updatedAt);
    await fixture.review(touched.id, 'approve');
    await transferApp(fixture.registry, commandLine, {
      appId: touched.id,
      transfer: { developerId: fixture.otherDeveloper.userId },
    });
    assert.equal((await update(other.id, 'Now.')).updatedAt, new Date(trueTime).toISOString());
    await rotateWebhookSecret(fixture.registry, commandLine, webhook.id);

    const events = await rowsOf(fixture.registry.storage, 'events');
    const late = events.filter(({ occurred_at: at }) => at > start).map(({ type, occurred_at: at }) => [type, at]);
    const types = ['app.updated', 'app.submitted', 'app.approved', 'app.transferred', 'app.updated', 'webhook.updated'];
    assert.deepEqual(
      late.toSorted(),
      [['app.updated', Date.parse(updatedAt)], ...types.map((type) => [type, trueTime])].toSorted(),
    );
  });

  test('an app that was changed while the clock was ahead is submitted at the true time and keeps its place in the queue', async () => {
    const app = await fixture.newApp();
    wrongMs = 80 * dayMs;
    await update(app.id, 'From the future.');
    wrongMs = 0;
    assert.equal((await fixture.review(app.id, 'submit')).submittedAt, new Date(start).toISOString());
  });
});
