import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { updateAppAsOperator } from '@appregistrar/testkit/calls/apps';
import { getStatistics } from '@appregistrar/testkit/calls/overview';
import { updateSettings } from '@appregistrar/testkit/calls/settings';
import { createWebhook } from '@appregistrar/testkit/calls/webhooks';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { execute } from '@appregistrar/testkit/storage/storage-test';
import { commandLine } from '../../kernel/registry.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const wednesday = Date.parse('2026-03-04T12:00:00.000Z');

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let now = wednesday;
  before(async () => {
    fixture = await RegistryFixture.open(engine, { now: () => now });
  });
  after(() => fixture.close());

  const statistics = () => getStatistics(fixture.registry);
  const weeks = async () => (await statistics()).weeks;

  test('an empty registry shows twelve weeks of zeros, each starting on a Monday, the last one the current week', async () => {
    const { madeAt, waiting, weeks: all, growingApps, webhooks } = await statistics();
    assert.equal(madeAt, '2026-03-04T12:00:00.000Z');
    assert.deepEqual(waiting, { count: 0, more: false });
    assert.equal(all.length, 12);
    assert.deepEqual([all[0]?.monday, all.at(-1)?.monday], ['2025-12-15', '2026-03-02']);
    const nothing = { approved: 0, rejected: 0, changesRejected: 0, revoked: 0 };
    assert.ok(all.every(({ decisions }) => Object.values(decisions).every((count) => count === 0)));
    assert.deepEqual(all[0], { monday: '2025-12-15', decisions: nothing, installations: { created: 0, deleted: 0 } });
    assert.deepEqual([growingApps, webhooks], [[], { failing: 0, disabled: 0 }]);
  });

  test('the queue shows its oldest and its median wait', async () => {
    const ids: string[] = [];
    for (let hour = 0; hour < 4; hour += 1) {
      ids.push((await fixture.newApp({ status: 'AWAITING_REVIEW' })).id);
      now += hourMs;
    }
    assert.deepEqual((await statistics()).waiting, {
      count: 4,
      more: false,
      oldestSince: '2026-03-04T12:00:00.000Z',
      medianSince: '2026-03-04T13:00:00.000Z',
    });
    await fixture.review(ids[0] ?? '', 'approve');
    assert.equal((await statistics()).waiting.medianSince, '2026-03-04T14:00:00.000Z');
    for (const id of ids.slice(1)) await fixture.review(id, 'withdraw');
  });

  test('decisions are counted by their outcome in the week they were made, with the median wait', async () => {
    now = Date.parse('2026-03-08T23:59:59.000Z');
    const sunday = await fixture.newApp({ status: 'AWAITING_REVIEW' });
    const others = [
      await fixture.newApp({ status: 'AWAITING_REVIEW' }),
      await fixture.newApp({ status: 'AWAITING_REVIEW' }),
    ];
    await fixture.review(sunday.id, 'approve');
    now += hourMs;
    await fixture.review(others[0]?.id ?? '', 'approve');
    now += dayMs;
    await fixture.review(others[1]?.id ?? '', 'reject');
    // It was not in the queue.
    await fixture.review(sunday.id, 'revoke');
    const [earlier, week] = (await weeks()).slice(-2);
    assert.deepEqual(earlier?.decisions, { approved: 2, rejected: 0, changesRejected: 0, revoked: 0 });
    assert.equal(earlier?.medianWaitMs, 0);
    assert.deepEqual(week?.decisions, { approved: 1, rejected: 1, changesRejected: 0, revoked: 1 });
    assert.equal(week?.medianWaitMs, hourMs);
  });

  test('a rejected change is counted separately, with the time that it had waited', async () => {
    const { registry } = fixture;
    now += 7 * dayMs;
    const app = await fixture.newApp({ status: 'APPROVED' });
    await updateSettings(registry, commandLine, { update: { changesToApproved: 'hold' }, existing: 'approve' });
    await updateAppAsOperator(registry, commandLine, { appId: app.id, update: { name: 'Changed' } });
    now += 2 * hourMs;
    await fixture.review(app.id, 'reject-change');
    await updateSettings(registry, commandLine, { update: { changesToApproved: 'live' } });
    const week = (await weeks()).at(-1);
    assert.deepEqual(week?.decisions, { approved: 1, rejected: 0, changesRejected: 1, revoked: 0 });
    // Of two, the lesser one.
    assert.equal(week?.medianWaitMs, 0);
  });

  test('failing webhooks, and those that the registry disabled for failing, are counted', async () => {
    const { registry } = fixture;
    const ids: string[] = [];
    for (const name of ['failing', 'disabled', 'disabled by an operator', 'well']) {
      const webhook = { url: 'https://receiver.example/', name };
      ids.push((await createWebhook(registry, commandLine, webhook)).id);
    }
    const set = (id: string | undefined, columns: string) =>
      registry.storage.write((transaction) =>
        execute(transaction, `update webhooks set ${columns} where id = '${id}'`),
      );
    await set(ids[0], 'failing_since = 1');
    await set(ids[1], "failing_since = 1, disabled_at = 2, disabled_reason = 'it failed'");
    await set(ids[2], 'disabled_at = 2');
    assert.deepEqual((await statistics()).webhooks, { failing: 1, disabled: 1 });
  });
});
