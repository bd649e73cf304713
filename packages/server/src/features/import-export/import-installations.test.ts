import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { appOf, fileOf, installationOf, type Line, refusalOf } from '@appregistrar/testkit/registry/import-file';
import { eventsDuring, rowsOf } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { commandLine } from '../../kernel/registry.ts';
import { getApp } from '../apps/get-app.ts';
import { importRegistry } from './import-registry.ts';

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  before(async () => {
    fixture = await RegistryFixture.open(engine);
  });
  after(() => fixture.close());

  const importLines = (lines: Line[]) => importRegistry(fixture.registry, commandLine, { open: fileOf(lines) });
  const approve = async (appId: string) => {
    await fixture.review(appId, 'submit');
    await fixture.review(appId, 'approve');
  };
  const enabledOf = async (appId: string, lines: { id: string }[]) => {
    const { installations } = (await getApp(fixture.registry, appId)).app;
    const enabled = new Map(installations.map((installation) => [installation.id, installation.enabled]));
    return lines.map(({ id }) => enabled.get(id));
  };
  const waiting = async () =>
    (await rowsOf(fixture.registry.storage, 'installations'))
      .filter((row) => row.disabled_by?.includes('revocation'))
      .map(({ id }) => id);
  const rejected = (name: string) => ({ ...appOf(fixture.developer.userId, name), reviewStatus: 'REJECTED' });
  const untilApproved = { enabled: false, disabledBy: ['revocation'] };
  const revoked = { ...untilApproved, untilApproved: true };
  const disabledByWorkspace = { enabled: false, disabledBy: ['workspace'] };

  test('an approval enables only those disabled installations that a revocation has disabled', async () => {
    const app = rejected('Waits');
    const [one, other] = [installationOf(app.id), installationOf(app.id)];
    await importLines([app, { ...one, ...untilApproved }, { ...other, enabled: false }]);
    assert.deepEqual(await enabledOf(app.id, [one, other]), [false, false]);
    const [created] = (await fixture.eventsOf(app.id)).filter(({ subject_id }) => subject_id === one.id);
    const expected = { workspaceId: one.workspaceId, userId: one.userId, ...revoked };
    assert.deepEqual(JSON.parse(created?.after ?? ''), expected);
    await approve(app.id);
    assert.deepEqual(await enabledOf(app.id, [one, other]), [true, false]);
  });

  test('a line with enabled also sets the causes, and each change gets an event', async () => {
    const app = rejected('Switched');
    const [enabled, disabled, starting, unchanged] = [1, 2, 3, 4].map(() => installationOf(app.id)) as [
      Installation,
      Installation,
      Installation,
      Installation,
    ];
    const lines = [enabled, disabled, unchanged].map((line) => ({ ...line, ...untilApproved }));
    await importLines([app, ...lines, { ...starting, enabled: false }]);
    const again = [
      { ...enabled, enabled: true },
      { ...disabled, enabled: false },
      { ...starting, ...untilApproved },
      unchanged,
    ];
    const events = await eventsDuring(fixture.registry, () => importLines(again));
    assert.deepEqual(
      events.map(({ type, subject_id, before: old, after: now }) => [type, subject_id, old, now]),
      [
        ['installation.enabled', enabled.id, revoked, { enabled: true }],
        ['installation.disabled', disabled.id, revoked, disabledByWorkspace],
        ['installation.disabled', starting.id, disabledByWorkspace, revoked],
      ],
    );
    assert.deepEqual((await waiting()).toSorted(), [starting.id, unchanged.id].toSorted());
    await approve(app.id);
    assert.deepEqual(await enabledOf(app.id, [enabled, disabled, starting, unchanged]), [true, false, true, true]);
  });

  test('a line that approves an app enables its waiting installations, as an approval does', async () => {
    const app = rejected('Approved by a line');
    const [one, other] = [installationOf(app.id), installationOf(app.id)];
    await importLines([app, { ...one, ...untilApproved }, { ...other, enabled: false }]);
    const approved = { ...app, reviewStatus: 'APPROVED' };
    const events = await eventsDuring(fixture.registry, () => importLines([approved]));
    assert.deepEqual(
      events.map(({ type, subject_id }) => [type, subject_id]),
      [
        ['app.updated', app.id],
        ['installation.enabled', one.id],
      ],
    );
    assert.deepEqual(await enabledOf(app.id, [one, other]), [true, false]);
    assert.deepEqual(await waiting(), []);
  });

  test('only a disabled installation of an app that is not approved can wait for an approval', async () => {
    const app = rejected('Cannot wait');
    const approved = { ...appOf(fixture.developer.userId, 'Approved'), reviewStatus: 'APPROVED' };
    const { errors } = await refusalOf(
      importLines([
        app,
        { ...installationOf(app.id), disabledBy: ['revocation'] },
        { ...installationOf(app.id), ...untilApproved, enabled: true },
        approved,
        { ...installationOf(approved.id), ...untilApproved },
      ]),
    );
    assert.deepEqual(
      errors.map(({ line, pointer, code }) => `${line} ${pointer} ${code}`),
      ['2 /disabledBy not_allowed', '3 /disabledBy not_allowed', '5 /disabledBy not_allowed'],
    );
  });
});

type Installation = ReturnType<typeof installationOf>;
