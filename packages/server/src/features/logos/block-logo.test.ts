import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createApp, transferApp, updateAppAsOperator } from '@appregistrar/testkit/calls/apps';
import { blockLogo, listLogos, unblockLogo } from '@appregistrar/testkit/calls/logos';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import {
  assertRefused,
  eventsDuring,
  everything,
  rowsOf,
  validationErrorsOf,
} from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { newId } from '../../kernel/ids.ts';
import { commandLine, type Registry } from '../../kernel/registry.ts';
import { openStorage } from '../../storage/open-storage.ts';
import { getApp } from '../apps/get-app.ts';
import { updateApp } from '../apps/update-app.ts';
import { openRegistry } from '../settings/settings.ts';
import { getLogo } from './logos.ts';

forEachEngine((engine) => {
  const at = '2026-03-01T09:30:00.000Z';
  const reason = 'It shows a foreign trademark.';
  let fixture: RegistryFixture;
  before(async () => {
    fixture = await RegistryFixture.open(engine, { now: () => Date.parse(at) });
  });
  after(() => fixture.close());

  const block = (id: string, given: object = { reason }) =>
    blockLogo(fixture.registry, commandLine, { id, block: given });
  const unblock = (id: string) => unblockLogo(fixture.registry, commandLine, id);
  const assertNotFound = (registry: Registry, id: string) =>
    assertRefused(registry, () => getLogo(registry, id), 'logo_not_found');
  const listed = async (id: string) => {
    const page = await listLogos(fixture.registry, { developerId: fixture.developer.userId, limit: 100 });
    return page.items.find((logo) => logo.id === id);
  };

  test('a blocked logo is not found at once, also by another process, until it is unblocked', async () => {
    const { id } = await fixture.newLogo();
    const storage = await openStorage(fixture.databaseUrl, { create: false });
    const { logoBaseUrl, workspaceIdPrefix, userIdPrefix } = fixture.registry;
    const other = await openRegistry(storage, {
      ...{ logoBaseUrl, workspaceIdPrefix, userIdPrefix },
      webhookAllowPrivate: false,
    });
    const png = await getLogo(other, id);
    await block(id);
    await assertNotFound(fixture.registry, id);
    await assertNotFound(other, id);
    await unblock(id);
    assert.deepEqual(await getLogo(other, id), png);
    await storage.close();
  });

  test('the response and the list show since when and why a logo is blocked, and nothing once it is unblocked', async () => {
    const logo = await fixture.newLogo();
    const blocked = { ...logo, blockedAt: at, blockedReason: reason };
    assert.deepEqual(await block(logo.id), blocked);
    assert.deepEqual(await listed(logo.id), blocked);
    assert.deepEqual(await unblock(logo.id), logo);
    assert.deepEqual(await listed(logo.id), logo);
  });

  test('a block and its end are one event each, and repeating them changes nothing', async () => {
    const { id, developerId } = await fixture.newLogo();
    const events = await eventsDuring(fixture.registry, async () => {
      await block(id);
      await block(id, { reason: 'Another one.' });
      await unblock(id);
      await unblock(id);
    });
    assert.deepEqual(
      events.map(({ type, subject_id, app_id, before: from, after: to }) => [type, subject_id, app_id, from, to]),
      [
        ['logo.blocked', id, null, null, { developerId, reason }],
        ['logo.unblocked', id, null, { developerId, reason }, null],
      ],
    );
  });

  test('a blocked logo cannot be set by its developer, by an operator or for a new app', async () => {
    const { registry, developer } = fixture;
    const { id: logoId } = await fixture.newLogo();
    const { id: appId } = await fixture.newApp();
    await block(logoId);
    const { userId: developerId } = developer;
    for (const set of [
      () => updateApp(registry, commandLine, { appId, developerId, update: { logoId } }),
      () => updateAppAsOperator(registry, commandLine, { appId, update: { logoId } }),
      () => createApp(registry, commandLine, { developerId, name: 'With a blocked logo', logoId }),
    ]) {
      const failure = await assertRefused(registry, set, 'invalid_content');
      assert.deepEqual(validationErrorsOf(failure), ['/logoId unusable_logo']);
      assert.match(failure.errors?.[0]?.detail ?? '', /An operator has blocked this logo. Upload another one/);
    }
    await unblock(logoId);
    await updateApp(registry, commandLine, { appId, developerId, update: { logoId } });
  });

  test('an app with a blocked logo keeps it, can be changed in everything else, and can replace it', async () => {
    const { registry, developer } = fixture;
    const { id: logoId } = await fixture.newLogo();
    const { id: appId } = await fixture.newApp({ logoId });
    const { revision } = await getApp(registry, appId);
    await block(logoId);
    assert.equal((await getApp(registry, appId)).revision, revision);
    const { userId: developerId } = developer;
    const update = { logoId, listingInfo: { shortDescription: 'Changed beside its logo.' } };
    const { app } = await updateApp(registry, commandLine, { appId, developerId, update });
    assert.equal(app.logoUrl, `${registry.logoBaseUrl}/${logoId}`);
    await updateApp(registry, commandLine, { appId, developerId, update: { logoId: null } });
    const again = () => updateApp(registry, commandLine, { appId, developerId, update: { logoId } });
    await assertRefused(registry, again, 'invalid_content');
  });

  test('the copy of a blocked logo that a transfer makes is blocked too', async () => {
    const { registry, otherDeveloper } = fixture;
    const { id: logoId } = await fixture.newLogo();
    const app = await fixture.newApp({ logoId });
    await block(logoId);
    const transfer = { developerId: otherDeveloper.userId };
    const { logoId: copy = '' } = await transferApp(registry, commandLine, { appId: app.id, transfer });
    assert.notEqual(copy, logoId);
    await assertNotFound(registry, copy);
    const row = (await rowsOf(registry.storage, 'logos')).find(({ id }) => id === copy);
    assert.deepEqual([row?.blocked_at, row?.blocked_reason], [Date.parse(at), reason]);
  });

  test('a block and its end reach all copies that transfers have made, whichever is named, and no other logo', async () => {
    const { registry, developer, otherDeveloper } = fixture;
    const transfer = (appId: string, developerId: string) =>
      transferApp(registry, commandLine, { appId, transfer: { developerId } });
    const { id: original } = await fixture.newLogo();
    const { id: uploaded } = await fixture.newLogo(otherDeveloper.userId);
    const { id: appId } = await fixture.newApp({ logoId: original, status: 'APPROVED' });
    await updateAppAsOperator(registry, commandLine, { appId, update: { logoId: null } });
    const { approved: { logoId: copy = '' } = {} } = await transfer(appId, otherDeveloper.userId);
    const { approved: { logoId: copyOfCopy = '' } = {} } = await transfer(appId, developer.userId);
    const all = [original, copy, copyOfCopy];
    const states = async () =>
      (await rowsOf(registry.storage, 'logos'))
        .filter(({ id }) => [...all, uploaded].includes(id))
        .map(({ id, blocked_reason }) => [id, blocked_reason])
        .toSorted();
    const expected = (blocked: string | null) => [...all.map((id) => [id, blocked]), [uploaded, null]].toSorted();
    for (const named of all) {
      const types = async (work: () => Promise<unknown>) =>
        (await eventsDuring(registry, work)).map(({ type, subject_id: id }) => [type, id]).toSorted();
      assert.deepEqual(await types(() => block(named)), all.map((id) => ['logo.blocked', id]).toSorted());
      assert.deepEqual(await states(), expected(reason));
      assert.deepEqual(await types(() => unblock(named)), all.map((id) => ['logo.unblocked', id]).toSorted());
      assert.deepEqual(await states(), expected(null));
    }
  });

  test('an unknown logo and a missing reason are refused', async () => {
    const { id } = await fixture.newLogo();
    for (const unknown of [newId('logo'), 'logo_x', newId('app')]) {
      await assertRefused(fixture.registry, () => block(unknown), 'logo_not_found');
      await assertRefused(fixture.registry, () => unblock(unknown), 'logo_not_found');
    }
    const stored = await everything(fixture.registry.storage);
    const failure = await assertRefused(fixture.registry, () => block(id, {}), 'invalid_content');
    assert.deepEqual(validationErrorsOf(failure), ['/reason required']);
    assert.deepEqual(await everything(fixture.registry.storage), stored);
  });
});
