import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { deleteApp, getAppAsOperator, listDeletedApps, restoreApp } from '@appregistrar/testkit/calls/apps';
import { updateDeveloper } from '@appregistrar/testkit/calls/developers';
import { eraseDeveloper } from '@appregistrar/testkit/calls/suspension';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { appOf, developerOf, installationOf, unchanged } from '@appregistrar/testkit/registry/import-file';
import { approvedContent } from '../../../../client/src/operator/index.ts';
import { ImportFixture } from '../../../test/registry/import-fixture.ts';
import { newId } from '../../kernel/ids.ts';
import { commandLine } from '../../kernel/registry.ts';
import type { OperatorApp } from '../apps/app-schemas.ts';
import { catchUp } from '../apps/comparison/projections.ts';
import { purgeDeletedApps } from '../apps/deleted-apps.ts';
import { getApp } from '../apps/get-app.ts';
import { updateApp } from '../apps/update-app.ts';

const dayMs = 86_400_000;

forEachEngine((engine) => {
  let now = Date.parse('2026-03-01T09:30:00.000Z');
  const imports = new ImportFixture(engine, { now: () => now });
  const rejected = (name: string) => ({ ...appOf(imports.developerId, name), reviewStatus: 'REJECTED' });

  test('importing a file twice changes nothing, and preserves the review and the state that its lines leave out', async () => {
    const developer = developerOf();
    const approved = { ...appOf(developer.userId, 'Approved'), reviewStatus: 'APPROVED' };
    const draft = appOf(developer.userId, 'Draft');
    const { id: _, ...withoutId } = installationOf(approved.id);
    const many = Array.from({ length: 1_500 }, () => installationOf(draft.id));
    const lines = [developer, approved, draft, { ...installationOf(draft.id), enabled: false }, withoutId, ...many];
    const counts = unchanged({ developers: 1, apps: 2, installations: 1_502 });
    await imports.import(lines);
    assert.deepEqual(await imports.importUnchanged(lines), counts);
    await imports.review(draft.id, 'submit');
    assert.deepEqual(await imports.importUnchanged(lines), counts);
  });

  test('an object may occur twice in a file, and the last line counts', async () => {
    const developer = developerOf();
    const app = appOf(developer.userId, 'Twice');
    const others = [
      { ...developer, email: 'second@example.com' },
      { ...app, name: 'Twice again' },
    ] as const;
    const { developers, apps } = await imports.import([developer, others[0], developer, app, others[1], app, app]);
    assert.deepEqual(developers, { created: 1, updated: 2, unchanged: 0 });
    assert.deepEqual(apps, { created: 1, updated: 2, unchanged: 1 });
    const { app: view } = await getApp(imports.registry, app.id);
    assert.deepEqual([view.name, view.developer.email], [app.name, developer.email]);
  });

  describe('a developer', () => {
    test('who is changed is so in every app, and the event contains no personal data', async () => {
      const developer = developerOf();
      const app = appOf(developer.userId, 'Of a changed developer');
      await imports.import([developer, app]);
      const { revision } = await getApp(imports.registry, app.id);
      const { type: _, ...changed } = { ...developer, email: 'new@example.com', lastName: 'New' };
      const updatedAt = '2100-01-01T00:00:00.000Z';
      assert.deepEqual(await imports.eventsOf({ type: 'developer', ...changed, updatedAt }), [
        ['developer.updated', developer.userId, null, null, { changed: ['email', 'lastName', 'updatedAt'] }],
      ]);
      const read = await getApp(imports.registry, app.id);
      assert.deepEqual(read.app.developer, changed);
      assert.notEqual(read.revision, revision);
    });

    test('who was erased is not restored by an earlier export, unless an operator restored them first', async () => {
      const developer = { ...developerOf(), firstName: 'Marie' };
      const { firstName: _, ...nameless } = developer;
      const app = appOf(developer.userId, 'Of an erased developer');
      await imports.import([developer, app]);
      await eraseDeveloper(imports.registry, commandLine, developer.userId);
      const email = 'erased@developer.invalid';
      for (const line of [developer, nameless, { ...developer, email }]) {
        const { errors } = await imports.assertErrors([line, '/userId not_allowed'], [app]);
        assert.match(errors[0]?.detail ?? '', /erased@developer\.invalid .* "developer update"/);
      }
      const summary = await imports.import([
        { ...nameless, email },
        { ...app, name: 'Another name' },
      ]);
      assert.deepEqual([summary.developers.unchanged, summary.apps.updated], [1, 1]);
      const update = { userId: developer.userId, update: { email: 'new@example.com' } };
      await updateDeveloper(imports.registry, commandLine, update);
      await imports.import([developer]);
      assert.equal((await getApp(imports.registry, app.id)).app.developer.firstName, 'Marie');
    });
  });

  describe('an app', () => {
    test('that is changed has its new content, a new revision and its event', async () => {
      const bare = { ...appOf(imports.developerId, 'Before'), reviewStatus: 'APPROVED' };
      const listingInfo = { shortDescription: 'Short.' };
      await imports.import([{ ...bare, listingInfo }]);
      const after = { name: 'After', reviewStatus: 'DRAFT', updatedAt: '2024-06-01T00:00:00.000Z' };
      assert.deepEqual(await imports.eventsOf({ ...bare, ...after }), [
        [
          ...['app.updated', bare.id],
          { name: 'Before', listingInfo, reviewStatus: 'APPROVED', updatedAt: bare.createdAt, revision: 1 },
          { ...after, listingInfo: { shortDescription: null }, revision: 2 },
          { changedSinceApproval: ['name', 'listingInfo.shortDescription'], effective: null },
        ],
      ]);
      const view = await imports.show(bare.id);
      const { name, reviewStatus, updatedAt } = view;
      assert.deepEqual({ name, reviewStatus, updatedAt }, after);
      assert.deepEqual([view.revision, view.listingInfo], [2, { backgroundColor: '#ffffff' }]);
      assert.equal(approvedContent(view)?.name, 'Before', 'what was approved is not forgotten');
      const shown = async () => (await getApp(imports.registry, bare.id)).revision;
      const before = await shown();
      await imports.import([{ ...bare, ...after, createdAt: '2023-01-01T00:00:00.000Z' }]);
      assert.notEqual(await shown(), before, 'platforms see the time of creation too');
    });

    test('never gets an earlier revision or updatedAt, so no old ETag becomes valid again', async () => {
      const app = { ...appOf(imports.developerId, 'First'), updatedAt: '2024-06-01T00:00:00.000Z', revision: 3 };
      await imports.import([app]);
      const update = { listingInfo: { shortDescription: 'Second.' } };
      await updateApp(imports.registry, commandLine, { appId: app.id, developerId: imports.developerId, update });
      const { updatedAt } = await imports.show(app.id);
      await imports.import([app]);
      const view = await imports.show(app.id);
      assert.deepEqual(
        [view.listingInfo, view.revision, view.updatedAt],
        [{ backgroundColor: '#ffffff' }, 5, updatedAt],
      );
    });

    test('may take a name that an earlier line releases', async () => {
      const [one, other] = [appOf(imports.developerId, 'Taken'), appOf(imports.developerId, 'Taken')];
      await imports.import([one]);
      const { apps } = await imports.import([{ ...one, name: 'Given up' }, other]);
      assert.deepEqual(apps, { created: 1, updated: 1, unchanged: 0 });
      assert.equal((await imports.show(other.id)).name, 'Taken');
    });
  });

  describe('an installation', () => {
    const enabledOf = async (appId: string, lines: { id: string }[]) => {
      const { installations } = (await getApp(imports.registry, appId)).app;
      return lines.map(({ id }) => installations.find((one) => one.id === id)?.enabled);
    };
    const untilApproved = { enabled: false, disabledBy: ['revocation'] };
    const revoked = { ...untilApproved, untilApproved: true };
    const byWorkspace = { enabled: false, disabledBy: ['workspace'] };

    test('that is changed gets an event and keeps its id, and the count stays correct', async () => {
      const app = await imports.fixture.newApp({ status: 'APPROVED' });
      const [one, other] = [installationOf(app.id), installationOf(app.id)];
      await imports.import([one, other]);
      const { revision } = await getApp(imports.registry, app.id);
      const { id: _, ...withoutId } = other;
      const userId = newId('user');
      assert.deepEqual(await imports.eventsOf({ ...one, enabled: false }, { ...withoutId, userId }), [
        ['installation.disabled', one.id, { enabled: true }, byWorkspace],
        ['installation.updated', other.id, { userId: other.userId }, { userId }],
      ]);
      const read = await getApp(imports.registry, app.id);
      assert.notEqual(read.revision, revision);
      assert.deepEqual(await enabledOf(app.id, [one, other]), [false, true]);
      assert.equal(read.app.installations.find(({ id }) => id === other.id)?.userId, userId);
      assert.equal((await imports.show(app.id)).installationCount, 2);
    });

    test('that a revocation has disabled is enabled by an approval, and no other', async () => {
      const app = rejected('Waits');
      const [one, other] = [installationOf(app.id), installationOf(app.id)];
      const [, created] = await imports.eventsOf(app, { ...one, ...untilApproved }, { ...other, enabled: false });
      const after = { workspaceId: one.workspaceId, userId: one.userId, ...revoked };
      assert.deepEqual(created, ['installation.created', one.id, null, after]);
      await imports.review(app.id, 'submit', 'approve');
      assert.deepEqual(await enabledOf(app.id, [one, other]), [true, false]);
    });

    test('that a revocation has disabled is enabled by a line that approves its app, and no other', async () => {
      const app = rejected('Approved by a line');
      const [one, other] = [installationOf(app.id), installationOf(app.id)];
      await imports.import([app, { ...one, ...untilApproved }, { ...other, enabled: false }]);
      const [, event] = await imports.eventsOf({ ...app, reviewStatus: 'APPROVED' });
      assert.deepEqual(event, ['installation.enabled', one.id, revoked, { enabled: true }]);
      assert.deepEqual(await enabledOf(app.id, [one, other]), [true, false]);
    });

    test('gets the causes of a line with enabled, with an event', async () => {
      const app = rejected('Switched');
      const [enabled, disabled, starting, same] = Array.from({ length: 4 }, () => installationOf(app.id)) as [
        ...[Installation, Installation, Installation, Installation],
      ];
      const waiting = [enabled, disabled, same].map((line) => ({ ...line, ...untilApproved }));
      await imports.import([app, ...waiting, { ...starting, enabled: false }]);
      const events = await imports.eventsOf(
        { ...enabled, enabled: true },
        { ...disabled, enabled: false },
        { ...starting, ...untilApproved },
        same,
      );
      assert.deepEqual(events, [
        ['installation.enabled', enabled.id, revoked, { enabled: true }],
        ['installation.disabled', disabled.id, revoked, byWorkspace],
        ['installation.disabled', starting.id, byWorkspace, revoked],
      ]);
      await imports.review(app.id, 'submit', 'approve');
      assert.deepEqual(await enabledOf(app.id, [enabled, disabled, starting, same]), [true, false, true, true]);
    });

    test('can wait for an approval only if it is disabled and its app is not approved', async () => {
      const app = rejected('Cannot wait');
      const approved = { ...appOf(imports.developerId, 'Is approved'), reviewStatus: 'APPROVED' };
      await imports.assertErrors(
        [app],
        [{ ...installationOf(app.id), disabledBy: ['revocation'] }, '/disabledBy not_allowed'],
        [{ ...installationOf(app.id), ...untilApproved, enabled: true }, '/disabledBy not_allowed'],
        [approved],
        [{ ...installationOf(approved.id), ...untilApproved }, '/disabledBy not_allowed'],
      );
    });
  });

  describe('a deleted app', () => {
    const ago = (days: number) => new Date(now - days * dayMs).toISOString();
    const deleted = (name: string, days = 1) => ({
      ...appOf(imports.developerId, name),
      reviewStatus: 'APPROVED',
      deletedAt: ago(days),
    });
    const listed = async (id: string) =>
      ((await listDeletedApps(imports.registry, { view: 'full', limit: 100 })).items.find((app) => app.id === id) ??
        assert.fail()) as OperatorApp;

    test('can be restored within its 30 days, with events of its creation and deletion', async () => {
      const [early, late] = [deleted('Early', 29.5), deleted('Late')];
      const events = await imports.eventsOf(early, late);
      assert.deepEqual(
        events.map(([type, id, , after]) => [type, id, after?.deletedAt]).toSorted(),
        [early, late]
          .flatMap(({ id, deletedAt }) => [
            ['app.created', id, undefined],
            ['app.deleted', id, deletedAt],
          ])
          .toSorted(),
      );
      assert.equal((await imports.show(early.id)).deletedAt, early.deletedAt);
      now += dayMs;
      await assert.rejects(restoreApp(imports.registry, commandLine, early.id));
      const { name, reviewStatus } = await restoreApp(imports.registry, commandLine, late.id);
      assert.deepEqual([name, reviewStatus], ['Late', 'APPROVED']);
    });

    test('leaves its name free, on lines before and after its own', async () => {
      const line = () => deleted('Free');
      const { apps } = await imports.import([line(), appOf(imports.developerId, 'Free'), line(), line()]);
      assert.equal(apps.created, 4);
    });

    test('that is deleted here is updated from its line, and its time to restore never shortens', async () => {
      const line = deleted('Was');
      await imports.import([line]);
      const { revision, restorableUntil } = await listed(line.id);
      const changed = { ...line, name: 'Is', deletedAt: ago(5) };
      const [event] = await imports.eventsOf(changed);
      assert.deepEqual([event?.[0], event?.[2]?.name, event?.[3]?.name], ['app.updated', 'Was', 'Is']);
      const app = await listed(line.id);
      assert.deepEqual([app.name, app.revision, app.restorableUntil], ['Is', revision + 1, restorableUntil]);
      await imports.import([{ ...changed, deletedAt: ago(0) }]);
      assert.equal((await listed(line.id)).deletedAt, ago(0));
      assert.deepEqual((await imports.importUnchanged([changed])).apps, { created: 0, updated: 0, unchanged: 1 });
    });

    test('follows the rules of apps, cannot have an installation, and is neither deleted nor restored by a line', async () => {
      const [live, gone] = [await imports.fixture.newApp(), await imports.fixture.newApp()];
      await deleteApp(imports.registry, commandLine, { appId: gone.id });
      const { deletedAt: _, ...back } = { ...deleted(gone.name), id: gone.id };
      const [known, good] = [deleted('Known'), deleted('Good')];
      await imports.import([known]);
      await imports.assertErrors(
        [{ ...deleted('No time'), deletedAt: 'yesterday' }, '/deletedAt invalid_format'],
        [{ ...deleted('No developer'), developerId: newId('user') }, '/developerId not_found'],
        [{ ...deleted('No logo'), logoId: newId('logo') }, '/logoId unusable_logo'],
        [{ ...known, developerId: imports.fixture.otherDeveloper.id }, '/developerId not_allowed'],
        [good],
        [installationOf(good.id), '/appId not_found'],
        [{ ...deleted(live.name), id: live.id }, '/deletedAt already_exists'],
        [back, '/id already_exists'],
      );
    });

    test('that can no longer be restored is skipped, and blocks no line here, purged or not', async () => {
      const old = deleted('Too old', 30);
      assert.equal((await imports.importUnchanged([old])).apps.unchanged, 1);
      const { id } = await imports.fixture.newApp({ name: 'Purgeable' });
      await deleteApp(imports.registry, commandLine, { appId: id });
      now += 30 * dayMs;
      const line = { ...appOf(imports.developerId, 'Here again'), id };
      await catchUp(imports.registry);
      await imports.importUnchanged([line], { dryRun: true });
      assert.equal((await imports.import([line])).apps.created, 1);
      assert.equal(await purgeDeletedApps(imports.registry), 0);
      assert.equal((await getAppAsOperator(imports.registry, id)).name, 'Here again');
    });
  });
});

type Installation = ReturnType<typeof installationOf>;
