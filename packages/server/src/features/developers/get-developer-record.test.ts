import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deleteApp, transferApp } from '@appregistrar/testkit/calls/apps';
import { getDeveloper, getDeveloperRecord } from '@appregistrar/testkit/calls/developers';
import { suspendDeveloper, unsuspendDeveloper } from '@appregistrar/testkit/calls/suspension';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { assertRefused } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { appRow, decisionRow, developerRow } from '../../../test/storage/sample-rows.ts';
import { newId } from '../../kernel/ids.ts';
import { commandLine } from '../../kernel/registry.ts';

const start = Date.parse('2026-03-01T09:30:00.000Z');
const none = { draft: 0, awaitingReview: 0, approved: 0, rejected: 0, deleted: 0 };
const noDecisions = { approved: 0, rejected: 0, changesRejected: 0, revoked: 0 };

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let now = start;
  before(async () => {
    fixture = await RegistryFixture.open(engine, { now: () => now });
  });
  after(() => fixture.close());

  /** The record, whose developer is as shown alone. */
  const recordOf = async (userId: string) => {
    const { developer, ...record } = await getDeveloperRecord(fixture.registry, userId);
    assert.deepEqual(developer, await getDeveloper(fixture.registry, userId));
    return record;
  };

  test('the record of a developer counts their apps, the decisions about these, and suspensions', async () => {
    const { id: userId } = fixture.developer;
    assert.deepEqual(await recordOf(userId), { apps: none, decisions: noDecisions, suspensions: 0 });
    const deleted = await fixture.newApp({ status: 'REJECTED' });
    now += 1_000;
    await fixture.newApp();
    await fixture.newApp({ status: 'AWAITING_REVIEW' });
    const approved = await fixture.newApp({ status: 'APPROVED' });
    await fixture.newApp({ status: 'REJECTED' });
    const gone = await fixture.newApp({ status: 'APPROVED' });
    await fixture.newApp({ status: 'APPROVED', developerId: fixture.otherDeveloper.id });
    now += 1_000;
    await fixture.review(approved.id, 'revoke');
    await deleteApp(fixture.registry, commandLine, { appId: deleted.id });
    await transferApp(fixture.registry, commandLine, {
      appId: gone.id,
      transfer: { developerId: fixture.otherDeveloper.id },
    });
    for (const reason of ['Spam', 'Again']) {
      await suspendDeveloper(fixture.registry, commandLine, { userId, suspension: { reason } });
      await unsuspendDeveloper(fixture.registry, commandLine, userId);
    }
    assert.deepEqual(await recordOf(userId), {
      apps: { draft: 1, awaitingReview: 1, approved: 0, rejected: 2, deleted: 1 },
      decisions: { approved: 1, rejected: 2, changesRejected: 0, revoked: 1 },
      suspensions: 2,
      firstAppAt: '2026-03-01T09:30:00.000Z',
      lastDecisionAt: '2026-03-01T09:30:02.000Z',
    });
    const other = await recordOf(fixture.otherDeveloper.id);
    assert.deepEqual([other.apps.approved, other.decisions.approved, other.suspensions], [2, 2, 0]);
  });

  test('an unknown developer is refused', async () => {
    for (const id of [newId('user'), 'unknown', '']) {
      await assertRefused(fixture.registry, () => recordOf(id), 'developer_not_found');
    }
  });

  test('counts end at 10,000, and only the newest apps count with their decisions', async () => {
    const developer_id = newId('user');
    const count = 10_500;
    const idOf = (at: number) => `app_${String(at).padStart(26, '0')}`;
    const rows = Array.from({ length: count }, (_, at) =>
      appRow({
        id: idOf(at),
        developer_id,
        name_key: `many ${at}`,
        created_at: start + at,
        approved_revision: at % 2 ? 1 : null,
        revision: 2,
      }),
    );
    const decisionAbout = (at: number) =>
      decisionRow({ event_id: `event_${at}`, app_id: idOf(at), step: 'reject', decided_at: start + at });
    await fixture.registry.storage.write(async (transaction) => {
      await transaction.insertNew('developers', [developerRow({ user_id: developer_id })]);
      await transaction.insertNew('apps', rows);
      await transaction.insertNew('decisions', [0, 5_000, count - 1_000, count - 1].map(decisionAbout));
    });
    assert.deepEqual(await recordOf(developer_id), {
      apps: { ...none, draft: 10_000 },
      decisions: { ...noDecisions, rejected: 2 },
      suspensions: 0,
      firstAppAt: new Date(start).toISOString(),
      lastDecisionAt: new Date(start + count - 1).toISOString(),
    });
  });
});
