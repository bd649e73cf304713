import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createApp, deleteApp, restoreApp, transferApp } from '@appregistrar/testkit/calls/apps';
import { createDeveloper } from '@appregistrar/testkit/calls/developers';
import { createInstallation, setInstallationEnabled } from '@appregistrar/testkit/calls/installations';
import { suspendDeveloper, unsuspendDeveloper } from '@appregistrar/testkit/calls/suspension';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { appOf, fileOf, installationOf } from '@appregistrar/testkit/registry/import-file';
import { rowsOf } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { Failure } from '../../kernel/failure.ts';
import { newId } from '../../kernel/ids.ts';
import { commandLine } from '../../kernel/registry.ts';
import type { OperatorApp } from '../apps/app-schemas.ts';
import { importRegistry } from '../import-export/import-registry.ts';
import { checkRegistry } from '../integrity/check-registry.ts';

const reason = 'The apps send customer data elsewhere.';
const appsOfEach = 40;
const atOnce = 12;

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  before(async () => {
    fixture = await RegistryFixture.open(engine);
  });
  after(() => fixture.close());

  const suspend = (userId: string) =>
    suspendDeveloper(fixture.registry, commandLine, { userId, suspension: { reason } });
  const unsuspend = (userId: string) => unsuspendDeveloper(fixture.registry, commandLine, userId);

  const withApps = async () => {
    const { id: userId } = await createDeveloper(fixture.registry, commandLine, { email: 'eve@example.com' });
    const statuses = ['APPROVED', 'DRAFT', 'AWAITING_REVIEW', 'REJECTED'] as const;
    const apps: OperatorApp[] = [];
    for (let made = 0; made < appsOfEach; made += 1) {
      apps.push(await fixture.newApp({ developerId: userId, status: statuses[made % 4] ?? 'DRAFT' }));
    }
    return { userId, apps };
  };

  /** All that gives a developer apps, installations or tokens, or moves their apps through review, in a mixed order. */
  const worksOf = async ({ userId, apps }: Awaited<ReturnType<typeof withApps>>) => {
    const { registry } = fixture;
    const works: (() => Promise<unknown>)[] = [];
    for (const { id, reviewStatus } of apps) {
      // Its own developer may install an app in any status.
      for (const by of [userId, newId('user')]) {
        works.push(() =>
          createInstallation(registry, commandLine, { appId: id, workspaceId: newId('workspace'), userId: by }),
        );
      }
      works.push(() => fixture.newToken('developer', { developerId: userId }));
      works.push(() => createApp(registry, commandLine, { developerId: userId, name: `New ${newId('app')}` }));
      const imported = { ...appOf(userId, `Imported ${newId('app')}`), reviewStatus: 'APPROVED' };
      const lines = fileOf([imported, installationOf(imported.id)]);
      works.push(() => importRegistry(registry, commandLine, { open: lines }));
      if (reviewStatus === 'AWAITING_REVIEW') works.push(() => fixture.review(id, 'approve'));
      if (reviewStatus === 'DRAFT') works.push(() => fixture.review(id, 'submit'));
      if (reviewStatus === 'REJECTED') {
        works.push(async () => {
          await deleteApp(registry, commandLine, { appId: id, force: true });
          await restoreApp(registry, commandLine, id);
        });
      }
      if (reviewStatus === 'APPROVED') {
        const foreign = await fixture.newApp({ status: 'APPROVED' });
        const { id: installation } = await fixture.install(foreign);
        works.push(() => transferApp(registry, commandLine, { appId: foreign.id, transfer: { developerId: userId } }));
        works.push(async () => {
          await setInstallationEnabled(registry, commandLine, { id: installation, enabled: false });
          await setInstallationEnabled(registry, commandLine, { id: installation, enabled: true });
        });
      }
    }
    return works.toSorted(() => Math.random() - 0.5);
  };

  /** Does the work with a few at a time, some of it refused. */
  const race = async (works: (() => Promise<unknown>)[], interrupt: () => Promise<unknown>) => {
    const remaining = [...works];
    remaining.splice(Math.floor(Math.random() * works.length), 0, interrupt);
    const take = async (): Promise<void> => {
      for (let work = remaining.pop(); work; work = remaining.pop()) {
        await work().catch((error) => assert.ok(error instanceof Failure, error));
      }
    };
    await Promise.all(Array.from({ length: atOnce }, take));
  };

  /** The rows of a developer's apps, and of what belongs to these. */
  const stateOf = async (userId: string) => {
    const { storage } = fixture.registry;
    const apps = (await rowsOf(storage, 'apps')).filter(({ developer_id }) => developer_id === userId);
    const ids = new Set(apps.map(({ id }) => id));
    return {
      apps,
      installations: (await rowsOf(storage, 'installations')).filter(({ app_id }) => ids.has(app_id)),
      tokens: (await rowsOf(storage, 'access_tokens')).filter(({ developer_id }) => developer_id === userId),
    };
  };

  test('no app, installation or token slips through a suspension while everything changes', async () => {
    const developer = await withApps();
    await race(await worksOf(developer), () => suspend(developer.userId));
    const { apps, installations, tokens } = await stateOf(developer.userId);
    assert.ok(apps.length >= appsOfEach);
    for (const { id, suspended_status, review_status, waiting_since } of apps) {
      assert.ok(suspended_status !== null && review_status !== 'APPROVED' && waiting_since === 0, id);
    }
    for (const { id, enabled, disabled_by } of installations) {
      assert.ok(enabled === 0 && disabled_by?.includes('suspension'), id);
    }
    for (const { id, suspended } of tokens) assert.equal(suspended, 1, id);
    await checkRegistry(fixture.registry);
  });

  test('nothing stays suspended when a suspension ends while everything changes', async () => {
    const developer = await withApps();
    const works = await worksOf(developer);
    await suspend(developer.userId);
    await race(works, () => unsuspend(developer.userId));
    const { apps, installations, tokens } = await stateOf(developer.userId);
    for (const { id, suspended_status } of apps) assert.equal(suspended_status, null, id);
    for (const { id, disabled_by } of installations) assert.ok(!disabled_by?.includes('suspension'), id);
    for (const { id, suspended } of tokens) assert.equal(suspended, 0, id);
    await checkRegistry(fixture.registry);
  });

  test('concurrent suspensions and their ends leave one of the two states, completely', async () => {
    const developer = await withApps();
    for (const app of developer.apps) if (app.reviewStatus === 'APPROVED') await fixture.install(app);
    const { userId } = developer;
    await Promise.all([suspend(userId), unsuspend(userId), suspend(userId), unsuspend(userId), suspend(userId)]);
    const isSuspended = (await rowsOf(fixture.registry.storage, 'developers')).some(
      ({ user_id, suspended_at }) => user_id === userId && suspended_at !== null,
    );
    const { apps, installations } = await stateOf(userId);
    assert.ok(apps.every(({ suspended_status }) => (suspended_status !== null) === isSuspended));
    assert.ok(installations.every(({ enabled }) => (enabled === 0) === isSuspended));
    await checkRegistry(fixture.registry);
  });
});
