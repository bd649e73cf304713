import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deleteApp } from '@appregistrar/testkit/calls/apps';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { until } from '@appregistrar/testkit/http/hook-receiver';
import { CapturedLog } from '@appregistrar/testkit/registry/captured-log';
import { rowsOf } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { execute } from '@appregistrar/testkit/storage/storage-test';
import { appRow, developerRow, sampleRows } from '../test/storage/sample-rows.ts';
import { openSession } from './features/access/browser-sessions.ts';
import { deleteFinishedDeliveries } from './features/webhooks/deliveries/delivery-queries.ts';
import { disableWebhook } from './features/webhooks/webhook-queries.ts';
import { commandLine } from './kernel/registry.ts';
import { observeClock } from './kernel/time.ts';
import { startMaintenance } from './maintenance.ts';
import type { Connection } from './storage/query.ts';
import type { DeliveryRow, EventRow, WebhookRow } from './storage/tables.ts';

const hourMs = 3_600_000;
const warn = 40;

const optionsWith = ({ logger }: CapturedLog) => ({ logger, deliveryRetentionDays: 30 });

/** Finished at a time, finished a moment later, and pending. */
async function insertDeliveries(transaction: Connection, at: number): Promise<void> {
  const webhook = sampleRows.webhooks[0] as WebhookRow;
  const event = sampleRows.events[0] as EventRow;
  const delivery = { ...sampleRows.deliveries[0], webhook_id: webhook.id, event_id: event.id } as DeliveryRow;
  await transaction.insertNew('webhooks', [webhook]);
  await transaction.insertNew('events', [event]);
  await transaction.insertAll('deliveries', [
    { ...delivery, id: 'delivered', state: 'delivered', finished_at: at },
    { ...delivery, id: 'failed', state: 'failed', finished_at: at + 1 },
    { ...delivery, id: 'pending' },
  ]);
}

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let tokenId: string;
  let now = 100 * hourMs;
  before(async () => {
    fixture = await RegistryFixture.open(engine, { now: () => now });
    tokenId = (await fixture.newToken('developer', { expiresIn: 90_000 })).id;
    await observeClock(fixture.registry);
    now += 10 * hourMs;
  });
  after(() => fixture.close());

  test('expired idempotency keys, sessions and deleted apps are deleted at the start', async () => {
    const { registry } = fixture;
    const log = new CapturedLog();
    const tables = ['idempotency_keys', 'sessions', 'deleted_apps'] as const;
    const left = async () => {
      await startMaintenance(registry, optionsWith(log))();
      return Promise.all(tables.map(async (table) => (await rowsOf(registry.storage, table)).length));
    };
    const values = `('${tokenId}', 'key', 'hash', '{}', ${now})`;
    await alter(`insert into idempotency_keys (token_id, key, request_hash, response, created_at) values ${values}`);
    await openSession(registry, (await fixture.newToken('operator')).id);
    await deleteApp(registry, commandLine, { appId: (await fixture.newApp()).id });
    assert.deepEqual(await left(), [1, 1, 1]);
    now += 24 * hourMs;
    assert.deepEqual(await left(), [0, 0, 1]);
    now += 29 * 24 * hourMs;
    assert.deepEqual([await left(), log.text], [[0, 0, 0], '']);
  });

  test('projections and statistics are brought up to date every second', async ({ mock }) => {
    mock.timers.enable({ apis: ['setInterval'] });
    const log = new CapturedLog();
    const { storage } = fixture.registry;
    const end = startMaintenance(fixture.registry, optionsWith(log));
    const app = await fixture.newApp({ status: 'APPROVED' });
    await fixture.install(app);
    mock.timers.tick(1_000);
    await until(async () => {
      const counted = await rowsOf(storage, 'weekly_installations');
      return counted.some(({ app_id: id, created }) => id === app.id && created === 1);
    });
    await end();
    assert.deepEqual([await rowsOf(storage, 'pending_projections'), log.text], [[], '']);
  });

  test('a delivery that finished long enough ago is deleted, but no pending one and no event', async () => {
    const { registry } = fixture;
    await registry.storage.write((transaction) => insertDeliveries(transaction, now));
    const [log, dayMs] = [new CapturedLog(), 24 * hourMs];
    const statesAfter = async (days: number) => {
      await startMaintenance(registry, { logger: log.logger, deliveryRetentionDays: days })();
      return (await rowsOf(registry.storage, 'deliveries')).map(({ id }) => id);
    };
    const eventsCount = (await rowsOf(registry.storage, 'events')).length;
    now += 400 * dayMs - 1;
    assert.deepEqual(await statesAfter(400), ['delivered', 'failed', 'pending']);
    now += 1;
    assert.deepEqual(await statesAfter(0), ['delivered', 'failed', 'pending']);
    assert.deepEqual(await statesAfter(400), ['failed', 'pending']);
    assert.equal(log.text, '');
    now += 1;
    assert.deepEqual(await statesAfter(400), ['pending']);
    assert.equal((await rowsOf(registry.storage, 'events')).length, eventsCount);
    // The deletion of undelivered events is never silent.
    assert.deepEqual(
      log.lines.map(({ level, undelivered }) => [level, undelivered]),
      [[warn, 1]],
    );
  });

  test('a finished delivery that is redelivered while it is pruned remains', async () => {
    const { registry } = fixture;
    const stored = await rowsOf(registry.storage, 'deliveries');
    await registry.storage.write(async (transaction) => {
      await transaction.insertAll('deliveries', [{ ...(stored[0] as DeliveryRow), id: 'redelivered' }]);
      await deleteFinishedDeliveries(transaction, ['redelivered']);
    });
    assert.ok((await rowsOf(registry.storage, 'deliveries')).some(({ id }) => id === 'redelivered'));
  });

  test('pending deliveries of a webhook that stays disabled are deleted at the age of finished ones', async () => {
    const { registry } = fixture;
    const dayMs = 24 * hourMs;
    const ids = async () => (await rowsOf(registry.storage, 'deliveries')).map(({ id }) => id);
    const log = new CapturedLog();
    const maintain = () => startMaintenance(registry, { logger: log.logger, deliveryRetentionDays: 30 })();
    const { id } = sampleRows.webhooks[0] as WebhookRow;
    assert.deepEqual(await ids(), ['pending', 'redelivered']);
    await registry.storage.write((transaction) => disableWebhook(transaction, { id, at: now, reason: 'test' }));
    now += 30 * dayMs - 1;
    await maintain();
    assert.deepEqual(await ids(), ['pending', 'redelivered']);
    now += 1;
    await maintain();
    assert.deepEqual(await ids(), []);
    assert.deepEqual(
      log.lines.map(({ level, undelivered }) => [level, undelivered]),
      [[warn, 2]],
    );
  });

  test('the registry is counted at the start and each hour, and the counts are stored by day', async ({ mock }) => {
    mock.timers.enable({ apis: ['setInterval'] });
    const log = new CapturedLog();
    const { storage } = fixture.registry;
    const today = () => new Date(now).toISOString().slice(0, 10);
    const storedCounts = async () => (await rowsOf(storage, 'daily_counts')).find(({ day }) => day === today());
    now = Math.ceil(now / (24 * hourMs)) * 24 * hourMs;
    assert.equal(await storedCounts(), undefined);
    await startMaintenance(fixture.registry, optionsWith(log))();
    const before = await storedCounts();
    assert.equal(before?.counted_at, now);

    await fixture.newApp();
    now += hourMs / 2 - 1;
    // Any process has just counted.
    await startMaintenance(fixture.registry, optionsWith(log))();
    assert.deepEqual(await storedCounts(), before);
    now += 1;
    const end = startMaintenance(fixture.registry, optionsWith(log));
    now += hourMs;
    mock.timers.tick(hourMs);
    await end();
    assert.deepEqual(await storedCounts(), { ...before, draft_apps: (before?.draft_apps ?? 0) + 1, counted_at: now });
    assert.equal(log.text, '');
  });

  test('shutdown does not wait for the counting of a large registry, and discards the incomplete counts', async () => {
    const log = new CapturedLog();
    const large = await RegistryFixture.open(engine);
    const { storage } = large.registry;
    const id = (at: number) => `app_${String(at).padStart(26, '0')}`;
    const apps = Array.from({ length: 1_001 }, (_, at) => appRow({ id: id(at), name_key: id(at), name_claim: id(at) }));
    await storage.write(async (transaction) => {
      await transaction.insertNew('developers', [developerRow()]);
      await transaction.insertNew('apps', apps);
    });
    await startMaintenance(large.registry, optionsWith(log))();
    assert.deepEqual([await rowsOf(storage, 'daily_counts'), log.text], [[], '']);
    await large.close();
  });

  test('a failure is logged as a warning, and retried the next hour', async ({ mock }) => {
    mock.timers.enable({ apis: ['setInterval'] });
    const log = new CapturedLog();
    await alter('alter table idempotency_keys rename to elsewhere');
    const end = startMaintenance(fixture.registry, optionsWith(log));
    mock.timers.tick(hourMs);
    await end();
    assert.deepEqual(
      log.lines.map(({ level }) => level),
      [warn, warn],
    );
    await alter('alter table elsewhere rename to idempotency_keys');
  });

  function alter(sql: string): Promise<unknown> {
    return fixture.registry.storage.write((transaction: Connection) => execute(transaction, sql));
  }
});
