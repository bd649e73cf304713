import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deleteApp, restoreApp, updateAppAsOperator } from '@appregistrar/testkit/calls/apps';
import { deleteLogo } from '@appregistrar/testkit/calls/logos';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { assertRefused, eventsDuring, validationErrorsOf } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { newId } from '../../kernel/ids.ts';
import { commandLine } from '../../kernel/registry.ts';
import { observeClock } from '../../kernel/time.ts';
import { purgeDeletedApps } from '../apps/deleted-apps.ts';
import { checkRegistry } from '../integrity/check-registry.ts';
import { getLogo } from './logos.ts';

const dayMs = 86_400_000;

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let now = Date.parse('2026-03-01T09:30:00.000Z');
  before(async () => {
    fixture = await RegistryFixture.open(engine, { now: () => now });
  });
  after(async () => {
    await checkRegistry(fixture.registry);
    await fixture.close();
  });

  const remove = (id: string) => deleteLogo(fixture.registry, commandLine, id);
  const setLogo = (appId: string, logoId: string | null) =>
    updateAppAsOperator(fixture.registry, commandLine, { appId, update: { logoId } });
  const assertInUse = async (id: string, ...apps: string[]) => {
    const { message } = await assertRefused(fixture.registry, () => remove(id), 'logo_in_use');
    for (const app of apps) assert.ok(message.includes(app), message);
  };

  test('a logo that no app uses is deleted with an event, and is not found or settable afterwards', async () => {
    const logo = await fixture.newLogo();
    const app = await fixture.newApp({ logoId: logo.id });
    await setLogo(app.id, null);
    const events = await eventsDuring(fixture.registry, async () => assert.deepEqual(await remove(logo.id), logo));
    assert.deepEqual(
      events.map(({ type, subject_id, before: from, after: to }) => [type, subject_id, from, to]),
      [['logo.deleted', logo.id, { developerId: logo.developerId }, null]],
    );
    await assertRefused(fixture.registry, () => getLogo(fixture.registry, logo.id), 'logo_not_found');
    const failure = await assertRefused(fixture.registry, () => setLogo(app.id, logo.id), 'invalid_content');
    assert.deepEqual(validationErrorsOf(failure), ['/logoId unusable_logo']);
    await assertRefused(fixture.registry, () => remove(logo.id), 'logo_not_found');
  });

  test('a logo in the current content of an app cannot be deleted, and the refusal names the apps', async () => {
    const { id } = await fixture.newLogo();
    const apps = [await fixture.newApp({ logoId: id }), await fixture.newApp({ logoId: id })];
    await assertInUse(id, ...apps.map((app) => app.id));
  });

  test('an approved logo cannot be deleted until another one is approved', async () => {
    const [{ id }, { id: next }] = [await fixture.newLogo(), await fixture.newLogo()];
    const app = await fixture.newApp({ status: 'APPROVED', logoId: id });
    await setLogo(app.id, next);
    await assertInUse(id, app.id);
    await fixture.review(app.id, 'revoke');
    await fixture.review(app.id, 'submit');
    await fixture.review(app.id, 'approve');
    await remove(id);
  });

  test('the logo of a deleted app cannot be deleted until the app is purged', async () => {
    const [{ id: current }, { id: approved }] = [await fixture.newLogo(), await fixture.newLogo()];
    const app = await fixture.newApp({ status: 'APPROVED', logoId: approved });
    await setLogo(app.id, current);
    await deleteApp(fixture.registry, commandLine, { appId: app.id });
    await assertInUse(current, app.id);
    await assertInUse(approved, app.id);
    await restoreApp(fixture.registry, commandLine, app.id);
    await deleteApp(fixture.registry, commandLine, { appId: app.id });
    await observeClock(fixture.registry);
    now += 31 * dayMs;
    await purgeDeletedApps(fixture.registry);
    await remove(current);
    await remove(approved);
  });

  test('a text that looks like a reference to a logo does not prevent its deletion', async () => {
    const { id } = await fixture.newLogo();
    const listingInfo = { longDescription: `"logo_id":"${id}" and ${id}` };
    await fixture.newApp({ status: 'APPROVED', listingInfo });
    await remove(id);
  });

  test('a logo that is set while it is deleted is either refused or in use', async () => {
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const { id } = await fixture.newLogo();
      const app = await fixture.newApp();
      const [set, removed] = await Promise.allSettled([setLogo(app.id, id), remove(id)]);
      assert.notEqual(set.status, removed.status);
    }
  });

  test('a refusal lists at most ten apps', async () => {
    const { id } = await fixture.newLogo();
    for (let app = 0; app < 12; app += 1) await fixture.newApp({ logoId: id });
    const { message } = await assertRefused(fixture.registry, () => remove(id), 'logo_in_use');
    assert.equal(message.match(/app_/g)?.length, 10);
    assert.match(message, / and others\. Give these apps another logo/);
  });

  test('an unknown logo is refused', async () => {
    for (const id of [newId('logo'), 'logo_x', '']) {
      await assertRefused(fixture.registry, () => remove(id), 'logo_not_found');
    }
  });
});
