import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { createApp, deleteApp, restoreApp } from '@appregistrar/testkit/calls/apps';
import { updateSettings } from '@appregistrar/testkit/calls/settings';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { assertRefused, rowsOf } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { execute } from '@appregistrar/testkit/storage/storage-test';
import { commandLine, type Registry } from '../../kernel/registry.ts';
import { openRegistry } from '../settings/settings.ts';
import { updateApp } from './update-app.ts';

const rounds = 8;
const appsAtOnce = 6;

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let registry: Registry;
  before(async () => {
    fixture = await RegistryFixture.open(engine, { initialSettings: { uniqueNames: false } });
    registry = fixture.registry;
  });
  after(() => fixture.close());
  beforeEach(async () => {
    await switchTo(false);
    for (const { id } of await rowsOf(registry.storage, 'apps')) await remove(id);
  });

  const switchTo = (uniqueNames: boolean) => updateSettings(registry, commandLine, { update: { uniqueNames } });
  const create = (name: string) => createApp(registry, commandLine, { developerId: fixture.developer.id, name });
  const remove = (appId: string) => deleteApp(registry, commandLine, { appId });
  const rename = (appId: string, name: string) =>
    updateApp(registry, commandLine, { appId, developerId: fixture.developer.id, update: { name } });
  const claims = async () => (await rowsOf(registry.storage, 'apps')).map((app) => [app.name_key, app.name_claim]);
  describe('switching unique names on', () => {
    test('claims all names, which cannot be taken from then on', async () => {
      const [one, other, deleted] = [await create('Invoice Sync'), await create('Ledger'), await create('Gone')];
      await remove(deleted.id);
      await switchTo(true);
      await assertRefused(registry, () => create('INVOICE SYNC'), 'name_taken');
      await assertRefused(registry, () => rename(other.id, 'invoice sync'), 'name_taken');
      assert.equal((await rename(one.id, 'Invoice SYNC')).app.name, 'Invoice SYNC');
      await create('gone');
      await assertRefused(registry, () => restoreApp(registry, commandLine, deleted.id), 'name_taken');
    });

    test('is refused with the name that is approved for one app and the current one of another', async () => {
      const app = await fixture.newApp({ status: 'APPROVED', name: 'Approved' });
      await rename(app.id, 'Renamed');
      const other = await create('Approved');
      const { message } = await assertRefused(registry, () => switchTo(true), 'names_shared');
      assert.match(message, /^Several apps share a name: "approved"\. /);
      await rename(other.id, 'Free');
      await switchTo(true);
    });

    test('is refused while names are shared, lists them, and changes nothing', async () => {
      const shared = await create('Shift Planner');
      for (const name of ['SHIFT PLANNER', 'Straße', 'STRASSE', 'Alone']) await create(name);
      const { message } = await assertRefused(registry, () => switchTo(true), 'names_shared');
      assert.match(message, /^Several apps share a name: "shift planner", "strasse"\. /);
      await rename(shared.id, 'Shift Planner 2');
      const again = await assertRefused(registry, () => switchTo(true), 'names_shared');
      assert.match(again.message, /: "strasse"\. /);
    });

    test('lists the first ten of many shared names', async () => {
      const names = Array.from({ length: 11 }, (_, index) => `Shared ${String(index).padStart(2, '0')}`);
      for (const name of [...names, ...names]) await create(name);
      const { message } = await assertRefused(registry, () => switchTo(true), 'names_shared');
      assert.match(message, /: "shared 00", .*"shared 09" and more\. /);
    });
  });

  test('switching unique names off releases all names, and a renamed or restored app claims none', async () => {
    await switchTo(true);
    const [one, deleted] = [await create('One'), await create('Two')];
    await remove(deleted.id);
    await switchTo(false);
    await rename(one.id, 'Two');
    await restoreApp(registry, commandLine, deleted.id);
    assert.deepEqual(await claims(), [
      ['two', null],
      ['two', null],
    ]);
  });

  describe('beside concurrent changes of names', () => {
    /** Switches while apps are created, renamed and restored under two names, and asserts that all claims agree. */
    async function race(uniqueNames: boolean): Promise<void> {
      await switchTo(!uniqueNames);
      const apps = await Promise.all(Array.from({ length: appsAtOnce }, (_, index) => create(`App ${index}`)));
      const deleted = await create('First');
      await remove(deleted.id);
      const outcomes = await Promise.allSettled([
        ...apps.slice(0, appsAtOnce / 2).map(({ id }) => rename(id, 'First')),
        switchTo(uniqueNames),
        restoreApp(registry, commandLine, deleted.id),
        ...apps.map((_app, index) => create(index % 2 === 0 ? 'First' : 'Second')),
        ...apps.slice(appsAtOnce / 2).map(({ id }) => rename(id, 'Second')),
      ]);
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') assert.match(outcome.reason.code, /^names_shared$|^name_taken$/);
      }
      const isSwitched = outcomes[appsAtOnce / 2]?.status === 'fulfilled';
      const isUnique = isSwitched ? uniqueNames : !uniqueNames;
      for (const [key, claim] of await claims()) assert.equal(claim, isUnique ? key : null);
    }

    for (const uniqueNames of [true, false]) {
      test(`switching them ${uniqueNames ? 'on' : 'off'} leaves every app with the claim of the setting`, async () => {
        for (let round = 0; round < rounds; round += 1) {
          await race(uniqueNames);
          await switchTo(false);
          for (const { id } of await rowsOf(registry.storage, 'apps')) await remove(id);
        }
      });
    }
  });

  describe('a database', () => {
    const reopen = (uniqueNames: boolean) =>
      openRegistry(registry.storage, { ...registry, initialSettings: { uniqueNames } });

    test('keeps its setting, regardless of the configuration of a program that opens it', async () => {
      await create('Shared');
      await reopen(true);
      await create('Shared');
    });

    test('without the setting gets that of the first program that opens it', async () => {
      for (const uniqueNames of [false, true]) {
        await registry.storage.write((transaction) => execute(transaction, "update settings set content = '{}'"));
        await Promise.all([reopen(uniqueNames), reopen(uniqueNames)]);
        await reopen(!uniqueNames);
        const [settings] = await rowsOf(registry.storage, 'settings');
        assert.equal(settings?.content, JSON.stringify({ uniqueNames }));
      }
    });
  });
});
