import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { getAppAsOperator } from '@appregistrar/testkit/calls/apps';
import {
  createInstallation,
  deleteInstallation,
  setInstallationEnabled,
} from '@appregistrar/testkit/calls/installations';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { assertRefused, contentOf, validationErrorsOf } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import fc from 'fast-check';
import { Failure, type FailureCode } from '../../kernel/failure.ts';
import { encodeTypeId, newId } from '../../kernel/ids.ts';
import { commandLine } from '../../kernel/registry.ts';
import type { OperatorApp } from '../apps/app-schemas.ts';
import { getApp, readAppRevision } from '../apps/get-app.ts';
import type { Installation } from './installation.ts';

const uuid = '01957a3c-6f0e-7cc2-9b1d-2f4f0f6d3a11';

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let approved: OperatorApp;
  let now = Date.parse('2026-03-01T09:30:00.000Z');

  before(async () => {
    fixture = await RegistryFixture.open(engine, { now: () => now });
    approved = await fixture.newApp({ status: 'APPROVED' });
  });
  after(() => fixture.close());

  const inputFor = (given: Partial<Record<'appId' | 'workspaceId' | 'userId', string>>) => ({
    appId: approved.id,
    workspaceId: newId('workspace'),
    userId: newId('user'),
    ...given,
  });
  const install = (given: Parameters<typeof inputFor>[0] = {}) =>
    createInstallation(fixture.registry, commandLine, inputFor(given));
  const set = (id: string, enabled: boolean) => setInstallationEnabled(fixture.registry, commandLine, { id, enabled });
  const remove = (id: string) => deleteInstallation(fixture.registry, commandLine, id);
  const refused = (given: Parameters<typeof inputFor>[0], code: FailureCode) =>
    assertRefused(fixture.registry, () => install(given), code);
  const assertCounted = async (appId: string, expected: number) => {
    const { installationCount } = await getAppAsOperator(fixture.registry, appId);
    const { app } = await getApp(fixture.registry, appId);
    assert.deepEqual([installationCount, app.installations.length], [expected, expected]);
  };

  test('an approved app is installed by anyone, enabled', async () => {
    const input = inputFor({});
    const { id, ...rest } = contentOf(await install(input));
    assert.match(id, /^installation_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
    assert.deepEqual(rest, { ...input, createdAt: new Date(now).toISOString(), enabled: true });
  });

  for (const status of ['DRAFT', 'AWAITING_REVIEW', 'REJECTED'] as const) {
    test(`only its own developer can install an app that is ${status}`, async () => {
      const { id: appId, developerId } = await fixture.newApp({ status });
      for (const userId of [newId('user'), fixture.otherDeveloper.id]) {
        const { message } = await refused({ appId, userId }, 'app_not_approved');
        assert.match(message, new RegExp(`^The app is ${status}\\.`));
      }
      assert.equal((await install({ appId, userId: developerId })).enabled, true);
    });
  }

  describe('into one workspace', () => {
    test('an app is installed only once, even while it is disabled', async () => {
      const { id, workspaceId } = await install();
      await refused({ workspaceId }, 'already_exists');
      await set(id, false);
      await refused({ workspaceId }, 'already_exists');
    });

    test('a workspace can install any number of apps', async () => {
      const { workspaceId } = await install();
      const { id: appId } = await fixture.newApp({ status: 'APPROVED' });
      assert.equal((await install({ appId, workspaceId })).workspaceId, workspaceId);
    });

    test('a removed app can be installed again, under a new id', async () => {
      const { id, workspaceId } = await install();
      await remove(id);
      assert.notEqual((await install({ workspaceId })).id, id);
    });

    test('of many concurrent installations, one succeeds', async () => {
      const { id: appId } = await fixture.newApp({ status: 'APPROVED' });
      const workspaceId = newId('workspace');
      const done = await Promise.allSettled(Array.from({ length: 20 }, () => install({ appId, workspaceId })));
      const failures = done.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
      assert.equal(failures.length, 19);
      assert.ok(failures.every((failure) => failure instanceof Failure && failure.code === 'already_exists'));
      await assertCounted(appId, 1);
    });
  });

  describe('the count of installations', () => {
    test('is correct after a hundred concurrent changes of each kind, twenty at a time', async () => {
      const { id: appId } = await fixture.newApp({ status: 'APPROVED' });
      const installs = Array.from({ length: 100 }, () => () => install({ appId }));
      const first = await twentyAtOnce(installs);
      await assertCounted(appId, 100);
      const others = first.map(
        ({ id }, index) =>
          () =>
            index < 60 ? remove(id) : set(id, false),
      );
      await twentyAtOnce(installs.flatMap((change, at) => [change, others[at] ?? change]));
      await assertCounted(appId, 140);
    });

    test('is correct after any changes, some of them refused', async () => {
      const { id: appId } = await fixture.newApp({ status: 'APPROVED' });
      const workspaces = Array.from({ length: 3 }, () => newId('workspace'));
      const stored = new Map<string, Installation>();
      const change = async (what: 'install' | 'delete' | 'enable' | 'disable', workspaceId: string) => {
        const id = stored.get(workspaceId)?.id ?? newId('installation');
        if (what === 'install') stored.set(workspaceId, await install({ appId, workspaceId }));
        else if (what !== 'delete') {
          await set(id, what === 'enable');
        } else {
          await remove(id);
          stored.delete(workspaceId);
        }
      };
      const changes = fc.array(
        fc.tuple(fc.constantFrom('install', 'delete', 'enable', 'disable'), fc.constantFrom(...workspaces)),
        { maxLength: 12 },
      );
      await fc.assert(
        fc.asyncProperty(changes, async (list) => {
          for (const [what, workspaceId] of list) {
            await change(what, workspaceId).catch((error) => assert.ok(error instanceof Failure, error));
          }
          await assertCounted(appId, stored.size);
        }),
        { numRuns: 15 },
      );
    });
  });

  test('updatedAt does not change', async () => {
    const { id: appId, updatedAt } = await fixture.newApp({ status: 'APPROVED' });
    now += 1000;
    const { id } = await install({ appId });
    await set(id, false);
    await remove(id);
    assert.equal((await getAppAsOperator(fixture.registry, appId)).updatedAt, updatedAt);
  });

  test('the installations of an app are listed by creation, then by id', async () => {
    const { id: appId } = await fixture.newApp({ status: 'APPROVED' });
    const made: Installation[] = [];
    for (const later of [2000, 0, 1000, 1000]) {
      now += later;
      made.push(contentOf(await install({ appId })));
      now -= later;
    }
    const expected = made.toSorted((one, other) =>
      `${one.createdAt} ${one.id}` < `${other.createdAt} ${other.id}` ? -1 : 1,
    );
    assert.deepEqual((await getApp(fixture.registry, appId)).app.installations, expected);
  });

  describe('the ids', () => {
    test('of workspace and user may be bare UUIDs', async () => {
      const { workspaceId, userId } = await install({ workspaceId: uuid, userId: uuid.toUpperCase() });
      assert.deepEqual([workspaceId, userId], [encodeTypeId('workspace', uuid), encodeTypeId('user', uuid)]);
    });

    test('of workspace and user are refused together when they are of another kind', async () => {
      const failure = await refused({ workspaceId: newId('user'), userId: 'ada' }, 'invalid_content');
      assert.deepEqual(validationErrorsOf(failure), ['/workspaceId invalid_format', '/userId invalid_format']);
    });

    test('of unknown apps are not found', async () => {
      for (const appId of [newId('app'), newId('workspace'), uuid, 'no\u0000id'])
        await refused({ appId }, 'app_not_found');
    });
  });

  test('fields that are missing, unknown or of another type are refused', async () => {
    const { registry } = fixture;
    const work = () => createInstallation(registry, commandLine, { appId: 5, workspaceId: null, enabled: false });
    assert.deepEqual(validationErrorsOf(await assertRefused(registry, work, 'invalid_content')).toSorted(), [
      '/appId wrong_type',
      '/enabled unknown_field',
      '/userId required',
      '/workspaceId null_not_allowed',
    ]);
  });

  test('workspaces and users have the prefixes of the platform', async () => {
    const registry = { ...fixture.registry, workspaceIdPrefix: 'team_space', userIdPrefix: 'member' };
    const given = { appId: approved.id, workspaceId: newId('team_space'), userId: newId('member') };
    const { workspaceId, userId } = await createInstallation(registry, commandLine, given);
    assert.deepEqual([workspaceId, userId], [given.workspaceId, given.userId]);
  });

  describe('enabled and disabled', () => {
    /** An installation by one of the users of an app that is no longer approved. */
    const installedOfRevoked = async () => {
      const app = await fixture.newApp({ status: 'APPROVED' });
      const input = { appId: app.id, workspaceId: newId('workspace'), userId: newId('user') };
      const installation = await createInstallation(fixture.registry, commandLine, input);
      await fixture.review(app.id, 'revoke');
      return installation;
    };

    test('an installation can be disabled and enabled, and is returned in its new state', async () => {
      const installation = await fixture.install(await fixture.newApp({ status: 'APPROVED' }));
      const content = contentOf(installation);
      const disabled = { ...content, enabled: false };
      assert.deepEqual(contentOf(await set(installation.id, false)), { ...disabled, disabledBy: ['workspace'] });
      assert.deepEqual((await getApp(fixture.registry, installation.appId)).app.installations, [disabled]);
      assert.deepEqual(contentOf(await set(installation.id, true)), content);
    });

    test('a change shows in the platform view, and repeating it changes nothing', async () => {
      const { id, appId } = await fixture.install(await fixture.newApp({ status: 'APPROVED' }));
      const revision = await readAppRevision(fixture.registry, appId);
      await set(id, true);
      assert.equal(await readAppRevision(fixture.registry, appId), revision);
      await set(id, false);
      await set(id, false);
      assert.equal(
        Number.parseInt(await readAppRevision(fixture.registry, appId), 10),
        Number.parseInt(revision, 10) + 1,
      );
    });

    test('an installation of an app that is not approved can be disabled but not enabled again', async () => {
      const { id } = await installedOfRevoked();
      assert.equal((await set(id, false)).enabled, false);
      await assertRefused(fixture.registry, () => set(id, true), 'app_not_approved');
    });

    test('an enabled installation remains enabled when its app is no longer approved', async () => {
      const { id } = await installedOfRevoked();
      assert.equal((await set(id, true)).enabled, true);
    });

    test('the developer of an app can enable it in any state', async () => {
      const { id } = await fixture.install(await fixture.newApp());
      await set(id, false);
      assert.equal((await set(id, true)).enabled, true);
    });
  });

  describe('removed', () => {
    test('a removed installation is returned as it was', async () => {
      const app = await fixture.newApp({ status: 'APPROVED' });
      const [removed, remaining] = [await fixture.install(app), await fixture.install(app)];
      const disabled = await setInstallationEnabled(fixture.registry, commandLine, { id: removed.id, enabled: false });
      assert.deepEqual(await remove(removed.id), disabled);
      assert.deepEqual((await getApp(fixture.registry, app.id)).app.installations, [contentOf(remaining)]);
    });

    test('an installation of an app in any state can be removed', async () => {
      const app = await fixture.newApp({ status: 'APPROVED' });
      const { id } = await fixture.install(app);
      await fixture.review(app.id, 'revoke');
      assert.equal((await remove(id)).id, id);
    });

    test('of many concurrent removals, one succeeds', async () => {
      const app = await fixture.newApp({ status: 'APPROVED' });
      const { id } = await fixture.install(app);
      const done = await Promise.allSettled(Array.from({ length: 10 }, () => remove(id)));
      assert.equal(done.filter(({ status }) => status === 'fulfilled').length, 1);
      assert.deepEqual((await getApp(fixture.registry, app.id)).app.installations, []);
    });
  });

  test('an unknown installation or an invalid id is not found', async () => {
    for (const id of [newId('installation'), newId('app'), '', 'no\u0000id']) {
      await assertRefused(fixture.registry, () => set(id, false), 'installation_not_found');
      await assertRefused(fixture.registry, () => remove(id), 'installation_not_found');
    }
  });
});

/** All of them wait for the same row: if there were more, the last one could wait too long for a connection. */
async function twentyAtOnce<Result>(changes: (() => Promise<Result>)[]): Promise<Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < changes.length; at += 20) {
    results.push(...(await Promise.all(changes.slice(at, at + 20).map((change) => change()))));
  }
  return results;
}
