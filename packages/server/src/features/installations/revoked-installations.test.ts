import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { getAppAsOperator } from '@appregistrar/testkit/calls/apps';
import {
  createInstallation,
  deleteInstallation,
  getInstallation,
  setInstallationEnabled,
} from '@appregistrar/testkit/calls/installations';
import { reviewApp } from '@appregistrar/testkit/calls/review';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { assertRefused, eventsDuring, rowsOf } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { newId } from '../../kernel/ids.ts';
import { commandLine } from '../../kernel/registry.ts';
import { updateInstallationCount } from '../apps/app-queries.ts';
import type { OperatorApp } from '../apps/app-schemas.ts';
import { getApp, readAppRevision } from '../apps/get-app.ts';
import type { Installation } from './installation.ts';

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  before(async () => {
    fixture = await RegistryFixture.open(engine);
  });
  after(() => fixture.close());

  const revoke = (appId: string, disableInstallations = true) =>
    reviewApp(fixture.registry, commandLine, {
      appId,
      step: 'revoke',
      details: { message: 'It sends spam.', disableInstallations },
    });
  const approveAgain = async (appId: string) => {
    await fixture.review(appId, 'submit');
    return fixture.review(appId, 'approve');
  };
  const set = (id: string, enabled: boolean) => setInstallationEnabled(fixture.registry, commandLine, { id, enabled });
  const marked = async (appId: string) =>
    (await rowsOf(fixture.registry.storage, 'installations'))
      .filter((row) => row.app_id === appId && row.disabled_by?.includes('revocation'))
      .map(({ id }) => id);
  const causes = async (id: string) => (await getInstallation(fixture.registry, id)).disabledBy;
  const enabledOf = async (appId: string) =>
    Object.fromEntries(
      (await getApp(fixture.registry, appId)).app.installations.map(({ id, enabled }) => [id, enabled]),
    );

  /** An approved app with several installations. */
  const installed = async (count: 1 | 2 | 3 | 4) => {
    const app = await fixture.newApp({ status: 'APPROVED' });
    const installations: Installation[] = [];
    for (let made = 0; made < count; made += 1) installations.push(await fixture.install(app));
    return [app, ...installations] as [OperatorApp, Installation, Installation, Installation, Installation];
  };

  describe('a revocation that disables installations', () => {
    test('disables and marks all of them, also those that their workspace has disabled, and preserves the count', async () => {
      const [app, one, two, three] = await installed(3);
      await set(two.id, false);
      const revision = await readAppRevision(fixture.registry, app.id);
      assert.equal((await revoke(app.id)).installationCount, 3);
      assert.deepEqual(await enabledOf(app.id), { [one.id]: false, [two.id]: false, [three.id]: false });
      assert.deepEqual(await marked(app.id), [one.id, two.id, three.id]);
      assert.deepEqual(await causes(two.id), ['workspace', 'revocation']);
      assert.notEqual(await readAppRevision(fixture.registry, app.id), revision);
    });

    test('records one event for each, after its own', async () => {
      const [app, one, two] = await installed(2);
      const events = await eventsDuring(fixture.registry, () => revoke(app.id));
      const before = { enabled: true };
      const after = { enabled: false, disabledBy: ['revocation'], untilApproved: true };
      assert.deepEqual(
        events
          .slice(1)
          .map(({ type, app_id, subject_id, before, after }) => ({ type, app_id, subject_id, before, after })),
        [one, two].map(({ id }) => ({ type: 'installation.disabled', app_id: app.id, subject_id: id, before, after })),
      );
      assert.equal(events[0]?.type, 'app.revoked');
    });

    test('affects no other app, and happens only on request', async () => {
      const [app] = await installed(1);
      const [other, unaffected] = await installed(1);
      await revoke(app.id);
      assert.deepEqual(await enabledOf(other.id), { [unaffected.id]: true });
      await revoke(other.id, false);
      assert.deepEqual(await enabledOf(other.id), { [unaffected.id]: true });
      assert.deepEqual(await marked(other.id), []);
    });

    test('disables none when it is refused', async () => {
      const app = await fixture.newApp();
      const { id } = await fixture.install(app);
      await assert.rejects(revoke(app.id));
      assert.deepEqual(await enabledOf(app.id), { [id]: true });
    });
  });

  describe('an approval after it', () => {
    test('enables again those that nothing else disables, with one event each, and clears the marks', async () => {
      const [app, one, two, three] = await installed(3);
      await set(two.id, false);
      await revoke(app.id);
      await fixture.review(app.id, 'submit');
      await fixture.review(app.id, 'reject');
      await fixture.review(app.id, 'submit');
      const events = await eventsDuring(fixture.registry, () => fixture.review(app.id, 'approve'));
      assert.deepEqual(await enabledOf(app.id), { [one.id]: true, [two.id]: false, [three.id]: true });
      assert.deepEqual(await marked(app.id), []);
      assert.deepEqual(
        events.map(({ type, subject_id }) => [type, subject_id]),
        [
          ['app.approved', app.id],
          ['installation.enabled', one.id],
          ['installation.disabled', two.id],
          ['installation.enabled', three.id],
        ],
      );
      assert.deepEqual(
        events.slice(1, 3).map(({ before, after }) => [before, after]),
        [
          [{ enabled: false, disabledBy: ['revocation'], untilApproved: true }, { enabled: true }],
          [
            { enabled: false, disabledBy: ['workspace', 'revocation'] },
            { enabled: false, disabledBy: ['workspace'] },
          ],
        ],
      );
    });

    test('does not enable installations that their workspace has disabled since', async () => {
      const [app, disabled, again, deleted, untouched] = await installed(4);
      await revoke(app.id);
      const byHand = await eventsDuring(fixture.registry, () => set(disabled.id, false));
      assert.deepEqual(
        byHand.map(({ type, before, after }) => ({ type, before, after })),
        [
          {
            type: 'installation.disabled',
            before: { enabled: false, disabledBy: ['revocation'], untilApproved: true },
            after: { enabled: false, disabledBy: ['workspace', 'revocation'] },
          },
        ],
      );
      await set(again.id, false);
      assert.deepEqual((await set(again.id, true)).disabledBy, ['revocation']);
      await deleteInstallation(fixture.registry, commandLine, deleted.id);
      assert.deepEqual(await marked(app.id), [disabled.id, again.id, untouched.id]);
      await approveAgain(app.id);
      assert.deepEqual(await enabledOf(app.id), { [disabled.id]: false, [again.id]: true, [untouched.id]: true });
      assert.deepEqual(await causes(disabled.id), ['workspace']);
    });

    test('is what enables them: their workspace has nothing to clear, and the refusal explains that', async () => {
      const [app, one] = await installed(1);
      await revoke(app.id);
      const { message } = await assertRefused(fixture.registry, () => set(one.id, true), 'app_not_approved');
      assert.equal(
        message,
        'The installation was disabled by the revocation of its app, not by its workspace. The next approval of the app enables it: submit the app for review.',
      );
    });

    test('enables nothing when nothing is marked', async () => {
      const [app, one] = await installed(1);
      await set(one.id, false);
      await revoke(app.id, false);
      await approveAgain(app.id);
      assert.deepEqual(await enabledOf(app.id), { [one.id]: false });
    });
  });

  test('an installation that cannot be enabled now is still enabled by a later approval', async () => {
    const app = await fixture.newApp({ status: 'APPROVED' });
    const input = { appId: app.id, workspaceId: newId('workspace'), userId: newId('user') };
    const { id } = await createInstallation(fixture.registry, commandLine, input);
    await revoke(app.id);
    await assert.rejects(set(id, true));
    await approveAgain(app.id);
    assert.deepEqual(await enabledOf(app.id), { [id]: true });
  });

  test('2,500 installations are disabled and enabled again in batches', async () => {
    const { registry } = fixture;
    const app = await fixture.newApp({ status: 'APPROVED' });
    await installMany(app.id, 2_500);
    await revoke(app.id);
    assert.equal((await marked(app.id)).length, 2_500);
    assert.equal(new Set(Object.values(await states(app.id))).has(1), false);
    await approveAgain(app.id);
    assert.deepEqual(await marked(app.id), []);
    assert.deepEqual([...new Set(Object.values(await states(app.id)))], [1]);
    assert.equal((await getAppAsOperator(registry, app.id)).installationCount, 2_500);
    const events = (await fixture.eventsOf(app.id)).map(({ type }) => type);
    assert.equal(events.filter((type) => type === 'installation.disabled').length, 2_500);
    assert.equal(events.filter((type) => type === 'installation.enabled').length, 2_500);
  });

  const states = async (appId: string) =>
    Object.fromEntries(
      (await rowsOf(fixture.registry.storage, 'installations'))
        .filter(({ app_id }) => app_id === appId)
        .map(({ id, enabled }) => [id, enabled]),
    );

  /** Several of one moment, as an import creates them. */
  const installMany = (appId: string, count: number) =>
    fixture.registry.storage.write(async (transaction) => {
      const rows = Array.from({ length: count }, (_, index) => ({
        id: newId('installation'),
        app_id: appId,
        workspace_id: newId('workspace'),
        user_id: newId('user'),
        enabled: 1 as const,
        disabled_by: null,
        created_at: Math.floor(index / 700),
        updated_at: null,
      }));
      await transaction.insertNew('installations', rows);
      await updateInstallationCount(transaction, { id: appId, by: count, revisionNonce: 'nonce' });
    });
});
