import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deleteInstallation, setInstallationEnabled } from '@appregistrar/testkit/calls/installations';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { assertRefused } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { commandLine } from '../../kernel/registry.ts';
import { newId } from '../../kernel/type-id.ts';
import { getApp } from '../apps/get-app.ts';

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  before(async () => {
    fixture = await RegistryFixture.open(engine);
  });
  after(() => fixture.close());

  const remove = (id: string) => deleteInstallation(fixture.registry, commandLine, id);

  test('a removed installation is returned as it was', async () => {
    const app = await fixture.newApp({ status: 'APPROVED' });
    const [removed, remaining] = [await fixture.install(app), await fixture.install(app)];
    const disabled = await setInstallationEnabled(fixture.registry, commandLine, { id: removed.id, enabled: false });
    assert.deepEqual(await remove(removed.id), disabled);
    assert.deepEqual((await getApp(fixture.registry, app.id)).app.installations, [remaining]);
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

  test('an unknown installation or an invalid id is not found', async () => {
    for (const id of [newId('installation'), newId('app'), '', 'no\u0000id']) {
      await assertRefused(fixture.registry, () => remove(id), 'installation_not_found');
    }
  });
});
