import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deleteApp, getAppAsOperator, listDeletedApps, restoreApp } from '@appregistrar/testkit/calls/apps';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { appOf, fileOf, installationOf, type Line, refusalOf } from '@appregistrar/testkit/registry/import-file';
import { eventsDuring, everything } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { newId } from '../../kernel/ids.ts';
import { commandLine } from '../../kernel/registry.ts';
import { observeClock } from '../../kernel/time.ts';
import { catchUp } from '../apps/comparison/projections.ts';
import { purgeDeletedApps } from '../apps/deleted-apps.ts';
import { checkRegistry } from '../integrity/check-registry.ts';
import { importRegistry } from './import-registry.ts';

const dayMs = 86_400_000;

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let now = Date.parse('2026-03-01T09:30:00.000Z');
  before(async () => {
    fixture = await RegistryFixture.open(engine, { now: () => now });
    await observeClock(fixture.registry);
  });
  after(async () => {
    await checkRegistry(fixture.registry);
    await fixture.close();
  });

  const importLines = (lines: Line[], dryRun = false) =>
    importRegistry(fixture.registry, commandLine, { open: fileOf(lines), dryRun });
  const ago = (days: number) => new Date(now - days * dayMs).toISOString();
  const deleted = (name: string, days = 1) => ({
    ...appOf(fixture.developer.userId, name),
    reviewStatus: 'APPROVED',
    deletedAt: ago(days),
  });
  const listed = async (id: string) =>
    (await listDeletedApps(fixture.registry, { limit: 100 })).items.find((app) => app.id === id);
  const errorsOf = async (...lines: Line[]) =>
    (await refusalOf(importLines(lines))).errors.map(({ line, pointer, code }) => `${line} ${pointer} ${code}`);

  test('an imported deleted app can be restored within its 30 days, with events of its creation and deletion', async () => {
    const [early, late] = [deleted('Early', 29.5), deleted('Late')];
    const events = await eventsDuring(fixture.registry, () => importLines([early, late]));
    assert.deepEqual(
      events.map(({ type, subject_id, after }) => [type, subject_id, after?.deletedAt]).toSorted(),
      [
        ['app.created', early.id, undefined],
        ['app.created', late.id, undefined],
        ['app.deleted', early.id, early.deletedAt],
        ['app.deleted', late.id, late.deletedAt],
      ].toSorted(),
    );
    assert.equal((await getAppAsOperator(fixture.registry, early.id)).deletedAt, early.deletedAt);
    now += dayMs;
    await assert.rejects(restoreApp(fixture.registry, commandLine, early.id));
    const { name, reviewStatus } = await restoreApp(fixture.registry, commandLine, late.id);
    assert.deepEqual([name, reviewStatus], ['Late', 'APPROVED']);
  });

  test('the name of a deleted app is free, on lines before and after its own', async () => {
    const line = () => deleted('Free');
    const { apps } = await importLines([line(), appOf(fixture.developer.userId, 'Free'), line(), line()]);
    assert.equal(apps.created, 4);
  });

  test('an app that is already deleted is updated from its line, and its time to restore never shortens', async () => {
    const line = deleted('Was');
    await importLines([line]);
    const { revision, restorableUntil } = (await listed(line.id)) ?? assert.fail();
    const changed = { ...line, name: 'Is', deletedAt: ago(5) };
    const events = await eventsDuring(fixture.registry, async () => {
      assert.deepEqual((await importLines([changed])).apps, { created: 0, updated: 1, unchanged: 0 });
    });
    assert.deepEqual(
      events.map(({ type, before, after }) => [type, before?.name, after?.name]),
      [['app.updated', 'Was', 'Is']],
    );
    const app = (await listed(line.id)) ?? assert.fail();
    assert.deepEqual([app.name, app.revision, app.restorableUntil], ['Is', revision + 1, restorableUntil]);
    await importLines([{ ...changed, deletedAt: ago(0) }]);
    assert.equal((await listed(line.id))?.deletedAt, ago(0));
    const stored = await everything(fixture.registry.storage);
    assert.deepEqual((await importLines([changed])).apps, { created: 0, updated: 0, unchanged: 1 });
    assert.deepEqual(await everything(fixture.registry.storage), stored);
  });

  test('a line neither deletes nor restores an app', async () => {
    const live = await fixture.newApp();
    const deletedApp = await fixture.newApp();
    await deleteApp(fixture.registry, commandLine, { appId: deletedApp.id });
    const [liveLine, deletedLine] = [live, deletedApp].map(({ id, name }) => ({ ...deleted(name), id }));
    const { deletedAt: _, ...back } = deletedLine ?? deleted('');
    assert.deepEqual(await errorsOf(liveLine ?? {}, back), ['1 /deletedAt already_exists', '2 /id already_exists']);
  });

  test('a deleted app follows the rules of apps, and cannot have an installation', async () => {
    const { userId } = fixture.otherDeveloper;
    const [known, good] = [deleted('Known'), deleted('Good')];
    await importLines([known]);
    assert.deepEqual(
      await errorsOf(
        { ...deleted('No time'), deletedAt: 'yesterday' },
        { ...deleted('No developer'), developerId: newId('user') },
        { ...deleted('No logo'), logoId: newId('logo') },
        { ...known, developerId: userId },
        good,
        installationOf(good.id),
      ),
      [
        '1 /deletedAt invalid_format',
        '2 /developerId not_found',
        '3 /logoId unusable_logo',
        '4 /developerId not_allowed',
        '6 /appId not_found',
      ],
    );
  });

  test('an app that can no longer be restored blocks no line, purged or not', async () => {
    const app = await fixture.newApp({ name: 'Purgeable' });
    await deleteApp(fixture.registry, commandLine, { appId: app.id });
    now += 30 * dayMs;
    const line = { ...appOf(fixture.developer.userId, 'Here again'), id: app.id };
    await catchUp(fixture.registry);
    const stored = await everything(fixture.registry.storage);
    await importLines([line], true);
    assert.deepEqual(await everything(fixture.registry.storage), stored);
    assert.equal((await importLines([line])).apps.created, 1);
    assert.equal(await purgeDeletedApps(fixture.registry), 0);
    assert.equal((await getAppAsOperator(fixture.registry, app.id)).name, 'Here again');
  });
});
