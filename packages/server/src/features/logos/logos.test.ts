import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createApp, deleteApp, restoreApp, transferApp, updateAppAsOperator } from '@appregistrar/testkit/calls/apps';
import { blockLogo, createLogo, deleteLogo, listLogos, unblockLogo } from '@appregistrar/testkit/calls/logos';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import {
  assertRefused,
  contentOf,
  eventsDuring,
  rowsOf,
  validationErrorsOf,
} from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { approvedContent } from '../../../../client/src/operator/index.ts';
import { demoLogo } from '../../cli/dev/demo-data.ts';
import { newId } from '../../kernel/ids.ts';
import { commandLine, type Registry } from '../../kernel/registry.ts';
import { observeClock } from '../../kernel/time.ts';
import { openStorage } from '../../storage/open-storage.ts';
import { purgeDeletedApps } from '../apps/deleted-apps.ts';
import { getApp } from '../apps/get-app.ts';
import { updateApp } from '../apps/update-app.ts';
import { checkRegistry } from '../integrity/check-registry.ts';
import { renderLogo } from './logo.ts';
import { readLogoImage } from './logos.ts';

const dayMs = 86_400_000;

forEachEngine((engine) => {
  let now = Date.parse('2026-03-01T09:30:00.000Z');
  const reason = 'It shows a foreign trademark.';
  let fixture: RegistryFixture;
  let registry: Registry;
  let developerId: string;
  let otherId: string;
  before(async () => {
    fixture = await RegistryFixture.open(engine, { now: () => now });
    registry = fixture.registry;
    [developerId, otherId] = [fixture.developer.id, fixture.otherDeveloper.id];
    await observeClock(registry);
  });
  after(async () => {
    await checkRegistry(registry);
    await fixture.close();
  });

  const block = (id: string, given: object = { reason }) => blockLogo(registry, commandLine, { id, block: given });
  const unblock = (id: string) => unblockLogo(registry, commandLine, id);
  const remove = (id: string) => deleteLogo(registry, commandLine, id);
  const list = (query: object) => listLogos(registry, query);
  const update = (appId: string, changes: object) =>
    updateApp(registry, commandLine, { appId, developerId, update: changes });
  const transfer = (appId: string, to: string) =>
    transferApp(registry, commandLine, { appId, transfer: { developerId: to } });
  const eventsOf = async (work: () => Promise<unknown>) =>
    (await eventsDuring(registry, work)).map(({ type, subject_id }) => [type, subject_id]);
  const assertNotFound = (on: Registry, id: string) => assertRefused(on, () => readLogoImage(on, id), 'logo_not_found');
  const assertUnusable = async (work: () => Promise<unknown>) => {
    const failure = await assertRefused(registry, work, 'invalid_content');
    assert.deepEqual(validationErrorsOf(failure), ['/logoId unusable_logo']);
    return failure.errors?.[0]?.detail ?? '';
  };

  test('the logos of a developer, or of all, are listed in order of creation, in pages', async () => {
    const made = [await fixture.newLogo(), await fixture.newLogo(), await fixture.newLogo()];
    const ofOther = await fixture.newLogo(otherId);
    assert.deepEqual(await list({ developerId }), { items: made });
    for (const [query, all] of [[{ developerId }, made] as const, [{}, [...made, ofOther]] as const]) {
      const first = await list({ ...query, limit: 2 });
      const second = await list({ ...query, limit: 2, cursor: first.nextCursor });
      assert.deepEqual([first.items, second.items, second.nextCursor], [all.slice(0, 2), all.slice(2), undefined]);
    }
    assert.deepEqual(await list({ developerId: newId('user') }), { items: [] });
    const failure = await assertRefused(registry, () => list({ developerId: newId('app') }), 'invalid_content');
    assert.deepEqual(validationErrorsOf(failure), ['developerId invalid_format']);
  });

  test('a logo is stored redrawn, under its own URL, and shown by apps of its developer alone', async () => {
    const image = demoLogo(0x0b5fff, 0xffc53d);
    const logo = await createLogo(registry, commandLine, { developerId, image });
    const { createdAt, ...content } = contentOf(logo);
    assert.deepEqual(content, { id: logo.id, developerId, logoUrl: `https://apps.example.com/logos/${logo.id}` });
    assert.equal(createdAt, logo.updatedAt);
    assert.deepEqual(Buffer.from(await readLogoImage(registry, logo.id)), Buffer.from(await renderLogo(image)));
    const { id } = await fixture.newApp();
    assert.equal((await update(id, { logoId: logo.id })).app.logoUrl, logo.logoUrl);
    const { id: logoId } = await fixture.newLogo(otherId);
    await assertUnusable(() => update(id, { logoId }));
  });

  test('an upload is refused with the errors of the image and of the developer together', async () => {
    const upload = (given: object) => () => createLogo(registry, commandLine, { image: Buffer.from('none'), ...given });
    const failure = await assertRefused(registry, upload({ developerId: 'ada' }), 'invalid_content');
    assert.deepEqual(validationErrorsOf(failure), ['/developerId invalid_format', '/image invalid_format']);
    const image = demoLogo(0, 1);
    await assertRefused(registry, upload({ developerId: newId('user'), image }), 'developer_not_found');
  });

  describe('a blocked logo', () => {
    test('is not found at once, also by another process, until it is unblocked', async () => {
      const { id } = await fixture.newLogo();
      const other = { ...registry, storage: await openStorage(fixture.databaseUrl, { create: false }) };
      const png = await readLogoImage(other, id);
      await block(id);
      await assertNotFound(registry, id);
      await assertNotFound(other, id);
      await unblock(id);
      assert.deepEqual(await readLogoImage(other, id), png);
      await other.storage.close();
    });

    test('is shown with the time and the reason, and repeating a change adds no event', async () => {
      const logo = await fixture.newLogo();
      const listed = async () =>
        (await list({ developerId, limit: 100 })).items.map(contentOf).find(({ id }) => id === logo.id);
      const content = contentOf(logo);
      const blocked = { ...content, blockedAt: new Date(now).toISOString(), blockedReason: reason };
      const events = await eventsOf(async () => {
        assert.deepEqual(contentOf(await block(logo.id)), blocked);
        assert.deepEqual(contentOf(await block(logo.id, { reason: 'Another one.' })), blocked);
        assert.deepEqual(await listed(), blocked);
        for (let times = 0; times < 2; times += 1) assert.deepEqual(contentOf(await unblock(logo.id)), content);
        assert.deepEqual(await listed(), content);
      });
      assert.deepEqual(events, [
        ['logo.blocked', logo.id],
        ['logo.unblocked', logo.id],
      ]);
    });

    test('cannot be set by its developer, by an operator or for a new app', async () => {
      const { id: logoId } = await fixture.newLogo();
      const { id: appId } = await fixture.newApp();
      await block(logoId);
      for (const set of [
        () => update(appId, { logoId }),
        () => updateAppAsOperator(registry, commandLine, { appId, update: { logoId } }),
        () => createApp(registry, commandLine, { developerId, name: 'With a blocked logo', logoId }),
      ]) {
        assert.match(await assertUnusable(set), /An operator has blocked this logo. Upload another one/);
      }
      await unblock(logoId);
      await update(appId, { logoId });
    });

    test('stays with its app, which can be changed in everything else, and can replace it', async () => {
      const { id: logoId } = await fixture.newLogo();
      const { id: appId } = await fixture.newApp({ logoId });
      const { revision } = await getApp(registry, appId);
      await block(logoId);
      assert.equal((await getApp(registry, appId)).revision, revision);
      const { app } = await update(appId, { logoId, listingInfo: { shortDescription: 'Changed beside its logo.' } });
      assert.equal(app.logoUrl, `${registry.logoBaseUrl}/${logoId}`);
      await update(appId, { logoId: null });
      await assertUnusable(() => update(appId, { logoId }));
    });

    test('has a copy that is blocked too, when a transfer makes one', async () => {
      const { id: logoId } = await fixture.newLogo();
      const app = await fixture.newApp({ logoId });
      await block(logoId);
      const { logoId: copy = '' } = await transfer(app.id, otherId);
      assert.notEqual(copy, logoId);
      await assertNotFound(registry, copy);
      const row = (await rowsOf(registry.storage, 'logos')).find(({ id }) => id === copy);
      assert.deepEqual([row?.blocked_at, row?.blocked_reason], [now, reason]);
    });

    test('is blocked and unblocked with all copies that transfers have made, whichever is named, and no other logo', async () => {
      const { id: original } = await fixture.newLogo();
      const { id: uploaded } = await fixture.newLogo(otherId);
      const { id: appId } = await fixture.newApp({ logoId: original, status: 'APPROVED' });
      await updateAppAsOperator(registry, commandLine, { appId, update: { logoId: null } });
      const { logoId: copy = '' } = approvedContent(await transfer(appId, otherId)) ?? {};
      const { logoId: copyOfCopy = '' } = approvedContent(await transfer(appId, developerId)) ?? {};
      const all = [original, copy, copyOfCopy];
      const assertChanged = async (type: string, blocked: string | null, work: () => Promise<unknown>) => {
        assert.deepEqual((await eventsOf(work)).toSorted(), all.map((id) => [type, id]).toSorted());
        for (const { id, blocked_reason } of await rowsOf(registry.storage, 'logos')) {
          if (all.includes(id)) assert.equal(blocked_reason, blocked);
          if (id === uploaded) assert.equal(blocked_reason, null);
        }
      };
      for (const named of all) {
        await assertChanged('logo.blocked', reason, () => block(named));
        await assertChanged('logo.unblocked', null, () => unblock(named));
      }
    });
  });

  test('an unknown logo and a missing reason are refused', async () => {
    const { id } = await fixture.newLogo();
    for (const unknown of [newId('logo'), 'logo_x', newId('app')]) {
      for (const change of [block, unblock, remove]) {
        await assertRefused(registry, () => change(unknown), 'logo_not_found');
      }
    }
    const failure = await assertRefused(registry, () => block(id, {}), 'invalid_content');
    assert.deepEqual(validationErrorsOf(failure), ['/reason required']);
  });

  describe('deleting a logo', () => {
    const setLogo = (appId: string, logoId: string | null) =>
      updateAppAsOperator(registry, commandLine, { appId, update: { logoId } });
    const assertInUse = async (id: string, ...apps: string[]) => {
      const { message } = await assertRefused(registry, () => remove(id), 'logo_in_use');
      for (const app of apps) assert.ok(message.includes(app), message);
      return message;
    };

    test('that no app uses is possible, and it is not found or settable afterwards', async () => {
      const logo = await fixture.newLogo();
      const app = await fixture.newApp({ logoId: logo.id });
      await setLogo(app.id, null);
      assert.deepEqual(await remove(logo.id), logo);
      await assertNotFound(registry, logo.id);
      await assertUnusable(() => setLogo(app.id, logo.id));
      await assertRefused(registry, () => remove(logo.id), 'logo_not_found');
    });

    test('in the current content of apps is refused with at most ten of these apps', async () => {
      const { id } = await fixture.newLogo();
      const apps = [await fixture.newApp({ logoId: id }), await fixture.newApp({ logoId: id })];
      await assertInUse(id, ...apps.map((app) => app.id));
      for (let app = 0; app < 10; app += 1) await fixture.newApp({ logoId: id });
      const message = await assertInUse(id);
      assert.equal(message.match(/app_/g)?.length, 10);
      assert.match(message, / and others\. Give these apps another logo/);
    });

    test('that is approved is refused until another one is approved', async () => {
      const [{ id }, { id: next }] = [await fixture.newLogo(), await fixture.newLogo()];
      const app = await fixture.newApp({ status: 'APPROVED', logoId: id });
      await setLogo(app.id, next);
      await assertInUse(id, app.id);
      for (const step of ['revoke', 'submit', 'approve'] as const) await fixture.review(app.id, step);
      await remove(id);
    });

    test('of a deleted app is refused until the app is purged', async () => {
      const [{ id: current }, { id: approved }] = [await fixture.newLogo(), await fixture.newLogo()];
      const app = await fixture.newApp({ status: 'APPROVED', logoId: approved });
      await setLogo(app.id, current);
      await deleteApp(registry, commandLine, { appId: app.id });
      for (const id of [current, approved]) await assertInUse(id, app.id);
      await restoreApp(registry, commandLine, app.id);
      await deleteApp(registry, commandLine, { appId: app.id });
      now += 31 * dayMs;
      await purgeDeletedApps(registry);
      for (const id of [current, approved]) await remove(id);
    });

    test('is not prevented by a text that looks like a reference to it', async () => {
      const { id } = await fixture.newLogo();
      const listingInfo = { longDescription: `"logo_id":"${id}" and ${id}` };
      await fixture.newApp({ status: 'APPROVED', listingInfo });
      await remove(id);
    });

    test('while it is set is either refused, or refuses that', async () => {
      for (let attempt = 0; attempt < 5; attempt += 1) {
        const { id } = await fixture.newLogo();
        const app = await fixture.newApp();
        const [set, removed] = await Promise.allSettled([setLogo(app.id, id), remove(id)]);
        assert.notEqual(set.status, removed.status);
      }
    });
  });
});
