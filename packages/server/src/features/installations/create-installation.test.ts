import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  createInstallation,
  deleteInstallation,
  setInstallationEnabled,
} from '@appregistrar/testkit/calls/installations';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { assertRefused, validationErrorsOf } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import fc from 'fast-check';
import { Failure, type FailureCode } from '../../kernel/failure.ts';
import { commandLine } from '../../kernel/registry.ts';
import { encodeTypeId, newId } from '../../kernel/type-id.ts';
import { getApp } from '../apps/get-app.ts';
import { getAppAsOperator } from '../apps/get-app-as-operator.ts';
import type { OperatorApp } from '../apps/operator-app.ts';
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
  const refused = (given: Parameters<typeof inputFor>[0], code: FailureCode) =>
    assertRefused(fixture.registry, () => install(given), code);
  const assertCounted = async (appId: string, expected: number) => {
    const { installationCount } = await getAppAsOperator(fixture.registry, appId);
    const { app } = await getApp(fixture.registry, appId);
    assert.deepEqual([installationCount, app.installations.length], [expected, expected]);
  };

  test('an approved app is installed by anyone, enabled', async () => {
    const input = inputFor({});
    const { id, ...rest } = await install(input);
    assert.match(id, /^installation_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
    assert.deepEqual(rest, { ...input, createdAt: new Date(now).toISOString(), enabled: true });
  });

  for (const status of ['DRAFT', 'AWAITING_REVIEW', 'REJECTED'] as const) {
    test(`only its own developer can install an app that is ${status}`, async () => {
      const { id: appId, developerId } = await fixture.newApp({ status });
      for (const userId of [newId('user'), fixture.otherDeveloper.userId]) {
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
      await setInstallationEnabled(fixture.registry, commandLine, { id, enabled: false });
      await refused({ workspaceId }, 'already_exists');
    });

    test('a workspace can install any number of apps', async () => {
      const { workspaceId } = await install();
      const { id: appId } = await fixture.newApp({ status: 'APPROVED' });
      assert.equal((await install({ appId, workspaceId })).workspaceId, workspaceId);
    });

    test('a removed app can be installed again, under a new id', async () => {
      const { id, workspaceId } = await install();
      await deleteInstallation(fixture.registry, commandLine, id);
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
            index < 60
              ? deleteInstallation(fixture.registry, commandLine, id)
              : setInstallationEnabled(fixture.registry, commandLine, { id, enabled: false }),
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
          await setInstallationEnabled(fixture.registry, commandLine, { id, enabled: what === 'enable' });
        } else {
          await deleteInstallation(fixture.registry, commandLine, id);
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
    await setInstallationEnabled(fixture.registry, commandLine, { id, enabled: false });
    await deleteInstallation(fixture.registry, commandLine, id);
    assert.equal((await getAppAsOperator(fixture.registry, appId)).updatedAt, updatedAt);
  });

  test('the installations of an app are listed by creation, then by id', async () => {
    const { id: appId } = await fixture.newApp({ status: 'APPROVED' });
    const made: Installation[] = [];
    for (const later of [2000, 0, 1000, 1000]) {
      now += later;
      made.push(await install({ appId }));
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
});

/** All of them wait for the same row: if there were more, the last one could wait too long for a connection. */
async function twentyAtOnce<Result>(changes: (() => Promise<Result>)[]): Promise<Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < changes.length; at += 20) {
    results.push(...(await Promise.all(changes.slice(at, at + 20).map((change) => change()))));
  }
  return results;
}
