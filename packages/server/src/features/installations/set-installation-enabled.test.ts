import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createInstallation, setInstallationEnabled } from '@appregistrar/testkit/calls/installations';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { assertRefused } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { commandLine } from '../../kernel/registry.ts';
import { newId } from '../../kernel/type-id.ts';
import { getApp, getAppRevision } from '../apps/get-app.ts';

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  before(async () => {
    fixture = await RegistryFixture.open(engine);
  });
  after(() => fixture.close());

  const set = (id: string, enabled: boolean) => setInstallationEnabled(fixture.registry, commandLine, { id, enabled });
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
    assert.deepEqual(await set(installation.id, false), {
      ...installation,
      enabled: false,
      disabledBy: ['workspace'],
    });
    assert.deepEqual((await getApp(fixture.registry, installation.appId)).app.installations, [
      { ...installation, enabled: false },
    ]);
    assert.deepEqual(await set(installation.id, true), installation);
  });

  test('a change shows in the platform view, and repeating it changes nothing', async () => {
    const { id, appId } = await fixture.install(await fixture.newApp({ status: 'APPROVED' }));
    const revision = await getAppRevision(fixture.registry, appId);
    await set(id, true);
    assert.equal(await getAppRevision(fixture.registry, appId), revision);
    await set(id, false);
    await set(id, false);
    assert.equal(Number.parseInt(await getAppRevision(fixture.registry, appId), 10), Number.parseInt(revision, 10) + 1);
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

  test('an unknown installation or an invalid id is not found', async () => {
    for (const id of [newId('installation'), newId('app'), '', 'no\u0000id']) {
      await assertRefused(fixture.registry, () => set(id, false), 'installation_not_found');
    }
  });
});
