import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  deleteApp,
  getAppAsOperator,
  listApps,
  restoreApp,
  updateAppAsOperator,
} from '@appregistrar/testkit/calls/apps';
import { setInstallationEnabled } from '@appregistrar/testkit/calls/installations';
import { reviewApp } from '@appregistrar/testkit/calls/review';
import { updateSettings } from '@appregistrar/testkit/calls/settings';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { assertRefused, eventsDuring, rowsOf } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { Failure } from '../../kernel/failure.ts';
import { newId } from '../../kernel/ids.ts';
import { commandLine } from '../../kernel/registry.ts';
import { observeClock } from '../../kernel/time.ts';
import { effectiveIn } from '../events/append-event.ts';
import { completeContent, contentData } from './app-content.ts';
import type { OperatorApp } from './app-schemas.ts';
import { purgeDeletedApps } from './deleted-apps.ts';
import { getApp, readAppRevision } from './get-app.ts';
import { updateApp } from './update-app.ts';

const dayMs = 86_400_000;

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let now = Date.parse('2026-03-01T09:30:00.000Z');
  before(async () => {
    fixture = await RegistryFixture.open(engine, { now: () => now });
    await observeClock(fixture.registry);
  });
  after(() => fixture.close());

  const remove = ({ id }: Pick<OperatorApp, 'id'>, force?: boolean) =>
    deleteApp(fixture.registry, commandLine, { appId: id, force });
  const restore = ({ id }: Pick<OperatorApp, 'id'>) => restoreApp(fixture.registry, commandLine, id);
  const refused = (work: () => Promise<unknown>, code: Parameters<typeof assertRefused>[2]) =>
    assertRefused(fixture.registry, work, code);
  const rowOf = async ({ id }: OperatorApp) =>
    (await rowsOf(fixture.registry.storage, 'apps')).find((row) => row.id === id);

  test('deletion returns the app as it was and the time until which it can be restored', async () => {
    const app = await fixture.newApp({ status: 'APPROVED' });
    const times = { deletedAt: '2026-03-01T09:30:00.000Z', restorableUntil: '2026-03-31T09:30:00.000Z' };
    const deleted = { ...app, effective: null, ...times };
    assert.deepEqual(await remove(app), deleted);
    const shown = await getAppAsOperator(fixture.registry, app.id);
    assert.deepEqual(shown, { ...deleted, warnings: [], reviewSteps: [] }, 'operators can still read it');
  });

  test('only operators can read a deleted app, no one can change it, and its name is free at once', async () => {
    const { registry } = fixture;
    const app = await fixture.newApp({ name: 'Gone' });
    await remove(app);
    const update = { name: 'Here' };
    const ways: (() => Promise<unknown>)[] = [
      () => getApp(registry, app.id),
      () => readAppRevision(registry, app.id),
      () => updateApp(registry, commandLine, { appId: app.id, developerId: app.developerId, update }),
      () => updateApp(registry, commandLine, { appId: app.id, developerId: app.developerId, update: {} }),
      () => updateAppAsOperator(registry, commandLine, { appId: app.id, update }),
      () => reviewApp(registry, commandLine, { appId: app.id, step: 'submit' }),
      () => fixture.install(app),
      () => remove(app),
    ];
    for (const way of ways) await refused(way, 'app_not_found');
    assert.deepEqual((await listApps(registry, { name: 'Gone' })).items, []);
    assert.equal((await fixture.newApp({ name: 'gone' })).name, 'gone');
  });

  test('an app with installations is deleted only when forced, and each installation with an event', async () => {
    const app = await fixture.newApp({ status: 'APPROVED' });
    const [one, two] = [await fixture.install(app), await fixture.install(app)];
    await setInstallationEnabled(fixture.registry, commandLine, { id: two.id, enabled: false });
    const failure = await refused(() => remove(app), 'app_installed');
    assert.match(failure.message, /^2 workspaces/);
    const events = await eventsDuring(fixture.registry, () => remove(app, true));
    const recorded = events.map(({ type, app_id, subject_id, after: data }) => [type, app_id, subject_id, data]);
    assert.deepEqual(recorded.slice(0, 2).toSorted(), [
      ['installation.deleted', app.id, one.id, null],
      ['installation.deleted', app.id, two.id, null],
    ]);
    assert.deepEqual(recorded.slice(2), [['app.deleted', app.id, app.id, null]]);
    assert.equal(events.at(-1)?.effective, null);
    assert.equal(events.find(({ subject_id }) => subject_id === two.id)?.before?.enabled, false);
    const left = await rowsOf(fixture.registry.storage, 'installations');
    assert.deepEqual(
      left.filter(({ app_id }) => app_id === app.id),
      [],
    );
  });

  test('an app whose installations were disabled by a revocation is deleted when forced', async () => {
    const app = await fixture.newApp({ status: 'APPROVED' });
    await fixture.install(app);
    const reason = 'It sends spam.';
    await reviewApp(fixture.registry, commandLine, {
      appId: app.id,
      step: 'revoke',
      details: { message: reason, disableInstallations: true },
    });
    await remove(app, true);
    assert.equal((await restore(app)).installationCount, 0);
    const rows = await rowsOf(fixture.registry.storage, 'installations');
    assert.deepEqual(
      rows.filter(({ app_id }) => app_id === app.id),
      [],
    );
  });

  test('more installations than one batch are deleted, each with an event', async () => {
    const app = await fixture.newApp({ status: 'APPROVED' });
    const count = 2_500;
    await fixture.registry.storage.write(async (transaction) => {
      const rows = Array.from({ length: count }, (_, at) => ({
        id: newId('installation'),
        app_id: app.id,
        workspace_id: newId('workspace'),
        user_id: app.developerId,
        enabled: 1 as const,
        disabled_by: null,
        created_at: at,
        updated_at: null,
      }));
      await transaction.insertNew('installations', rows);
      const { builder } = transaction;
      await transaction.run(
        builder.updateTable('apps').set({ installation_count: count }).where('id', '=', app.id).compile(),
      );
    });
    const events = await eventsDuring(fixture.registry, () => remove(app, true));
    assert.equal(new Set(events.map(({ subject_id }) => subject_id)).size, count + 1);
  });

  test('a restored app is as it was, without installations, at a higher platform revision', async () => {
    const app = await fixture.newApp({ status: 'APPROVED', listingInfo: { shortDescription: 'Short.' } });
    await fixture.install(app);
    const stored = await rowOf(app);
    await remove(app, true);
    now += 29 * dayMs;
    assert.deepEqual(await restore(app), app);
    const restored = await rowOf(app);
    assert.deepEqual(restored, {
      ...stored,
      installation_count: 0,
      platform_revision: (stored?.platform_revision ?? 0) + 1,
      platform_revision_nonce: restored?.platform_revision_nonce,
    });
    assert.notEqual(restored?.platform_revision_nonce, stored?.platform_revision_nonce);
    assert.deepEqual((await getApp(fixture.registry, app.id)).app.installations, []);
    await refused(() => restore(app), 'app_not_found');
    const events = (await fixture.eventsOf(app.id)).slice(-2);
    assert.deepEqual(
      events.map((event) => [event.type, effectiveIn(event)]),
      [
        ['app.deleted', null],
        ['app.restored', contentData(completeContent(app))],
      ],
    );
  });

  test('a restored app whose shown content changed with the setting meanwhile is updated at its restoration', async () => {
    const setChangesToApproved = (changesToApproved: string) =>
      updateSettings(fixture.registry, commandLine, { update: { changesToApproved }, existing: 'hold' });
    const shown = async ({ id }: OperatorApp) => (await getApp(fixture.registry, id)).app;
    await setChangesToApproved('hold');
    const app = await fixture.newApp({ status: 'APPROVED', name: 'Held' });
    now += 1_000;
    await updateAppAsOperator(fixture.registry, commandLine, { appId: app.id, update: { name: 'Held 2' } });
    for (const [changesToApproved, name] of [
      ['live', 'Held 2'],
      ['hold', 'Held'],
    ] as const) {
      await remove(app);
      now += 1_000;
      await setChangesToApproved(changesToApproved);
      await restore(app);
      const { name: shownName, updatedAt } = await shown(app);
      assert.deepEqual([shownName, updatedAt], [name, new Date(now).toISOString()]);
    }
    await setChangesToApproved('live');
  });

  test('the events of deletion and restoration contain the app', async () => {
    const app = await fixture.newApp({ listingInfo: { shortDescription: 'Short.' } });
    const [deleted] = await eventsDuring(fixture.registry, () => remove(app));
    const [restored] = await eventsDuring(fixture.registry, () => restore(app));
    assert.deepEqual(deleted?.before, {
      developerId: app.developerId,
      reviewStatus: 'DRAFT',
      revision: 1,
      ...contentData(completeContent({ name: app.name, listingInfo: { shortDescription: 'Short.' } })),
    });
    assert.deepEqual([deleted?.after, restored?.before, restored?.after], [null, null, deleted?.before]);
  });

  test('an app whose name is taken is restored once the name is free again', async () => {
    const app = await fixture.newApp({ name: 'Wanted' });
    await remove(app);
    const other = await fixture.newApp({ name: 'WANTED' });
    assert.match((await refused(() => restore(app), 'name_taken')).message, /Rename or delete that app/);
    await updateAppAsOperator(fixture.registry, commandLine, { appId: other.id, update: { name: 'Other' } });
    assert.equal((await restore(app)).name, 'Wanted');
  });

  test('after 30 days an app cannot be restored, whether it is purged yet or not', async () => {
    const [early, late] = [await fixture.newApp({ name: 'Early' }), await fixture.newApp()];
    await purgeAll();
    await remove(early);
    now += dayMs;
    await remove(late);
    now += 29 * dayMs;
    await refused(() => restore(early), 'app_not_found');
    const events = await eventsDuring(fixture.registry, async () => {
      assert.equal(await purgeDeletedApps(fixture.registry), 1);
    });
    assert.deepEqual(
      events.map(({ type, subject_id, actor }) => [type, subject_id, actor]),
      [['app.purged', early.id, 'maintenance']],
    );
    await refused(() => restore(early), 'app_not_found');
    assert.deepEqual(await restore(late), late);
    assert.equal(await purgeDeletedApps(fixture.registry), 0);
  });

  test('of two concurrent purges, one purges an app', async () => {
    await purgeAll();
    await remove(await fixture.newApp());
    now += 30 * dayMs;
    const { registry } = fixture;
    const events = await eventsDuring(registry, () =>
      Promise.all([purgeDeletedApps(registry), purgeDeletedApps(registry), purgeDeletedApps(registry)]),
    );
    assert.deepEqual(
      events.map(({ type }) => type),
      ['app.purged'],
    );
  });

  test('an unknown app is refused', async () => {
    for (const id of [newId('app'), 'app_x', newId('logo'), '\0']) {
      await refused(() => remove({ id }), 'app_not_found');
      await refused(() => restore({ id }), 'app_not_found');
    }
  });

  test('concurrent deletions, restorations, updates and installations leave one intact app with matching events', async () => {
    for (let round = 0; round < 5; round += 1) {
      const app = await fixture.newApp({ status: 'APPROVED' });
      const update = (shortDescription: string) =>
        updateAppAsOperator(fixture.registry, commandLine, {
          appId: app.id,
          update: { listingInfo: { shortDescription } },
        });
      const outcomes = await Promise.allSettled([
        remove(app, true),
        update('one'),
        fixture.install(app),
        restore(app),
        remove(app, true),
        fixture.install(app),
        restore(app),
        update('two'),
      ]);
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') assert.ok(outcome.reason instanceof Failure, String(outcome.reason));
      }
      await assertConsistent(app.id);
    }
  });

  /** Restorable apps that other tests left. */
  async function purgeAll(): Promise<void> {
    now += 30 * dayMs;
    await purgeDeletedApps(fixture.registry);
  }

  async function assertConsistent(id: string): Promise<void> {
    const { storage } = fixture.registry;
    const of = async <Row extends object>(rows: Promise<Row[]>, key: keyof Row) =>
      (await rows).filter((row) => row[key] === id);
    const alive = await of(rowsOf(storage, 'apps'), 'id');
    const deleted = await of(rowsOf(storage, 'deleted_apps'), 'id');
    const installations = await of(rowsOf(storage, 'installations'), 'app_id');
    assert.equal(alive.length + deleted.length, 1);
    assert.equal(installations.length, alive[0]?.installation_count ?? 0);
    const types = (await fixture.eventsOf(id)).map(({ type }) => type);
    const count = (type: string) => types.filter((each) => each === type).length;
    assert.equal(count('app.deleted') - count('app.restored'), deleted.length);
    assert.equal(count('installation.created') - count('installation.deleted'), installations.length);
  }
});
