import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { forEachEngine } from 'app-registry-testkit/engines/engines';
import { assertRefused } from 'app-registry-testkit/registry/recorded';
import { RegistryFixture } from 'app-registry-testkit/registry/registry-fixture';
import { commandLine, type Registry } from '../registry.ts';
import { claimNames } from './claim-names.ts';
import { createApp } from './create-app.ts';
import { updateApp } from './update-app.ts';

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  /** The same database with unique names. */
  let strict: Registry;
  before(async () => {
    fixture = await RegistryFixture.open(engine, { uniqueNames: false });
    strict = { ...fixture.registry, uniqueNames: true };
  });
  after(() => fixture.close());

  const rename = (registry: Registry, appId: string, name: string) =>
    updateApp(registry, commandLine, { appId, developerId: fixture.developer.userId, update: { name } });
  const createIn = (registry: Registry, name: string) =>
    createApp(registry, commandLine, { developerId: fixture.developer.userId, name });

  test('different names are claimed, and cannot be taken from then on', async () => {
    const [one, other] = [await fixture.newApp({ name: 'Invoice Sync' }), await fixture.newApp({ name: 'Ledger' })];
    await claimNames(strict);
    await assertRefused(strict, () => createIn(strict, 'INVOICE SYNC'), 'name_taken');
    await assertRefused(strict, () => rename(strict, other.id, 'invoice sync'), 'name_taken');
    assert.equal((await rename(strict, one.id, 'Invoice SYNC')).app.name, 'Invoice SYNC');
  });

  test('shared names are listed in the refusal, and no name is claimed', async () => {
    const shared = await fixture.newApp({ name: 'Shift Planner' });
    await fixture.newApp({ name: 'SHIFT PLANNER' });
    await fixture.newApp({ name: 'Straße' });
    await fixture.newApp({ name: 'STRASSE' });
    await fixture.newApp({ name: 'Alone' });
    const { message } = await assertRefused(strict, () => claimNames(strict), 'name_taken');
    assert.match(message, /several apps share these: "shift planner", "strasse"\./);
    await claimNames(fixture.registry);
    await rename(fixture.registry, shared.id, 'Shift Planner 2');
    const again = await assertRefused(strict, () => claimNames(strict), 'name_taken');
    assert.match(again.message, /share these: "strasse"\./);
  });

  test('a claimed name conflicts with the same unclaimed name', async () => {
    await createIn(strict, 'Standup Notes');
    await createIn(fixture.registry, 'Standup Notes');
    const { message } = await assertRefused(strict, () => claimNames(strict), 'name_taken');
    assert.match(message, /"standup notes"/);
  });

  test('no name is claimed while names need not be unique', async () => {
    await fixture.newApp({ name: 'Twice' });
    await claimNames(fixture.registry);
    assert.equal((await fixture.newApp({ name: 'Twice' })).name, 'Twice');
  });
});
