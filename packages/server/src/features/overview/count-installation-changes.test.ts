import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deleteApp } from '@appregistrar/testkit/calls/apps';
import { deleteInstallation } from '@appregistrar/testkit/calls/installations';
import { getStatistics } from '@appregistrar/testkit/calls/overview';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { rowsOf } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { commandLine, type Registry } from '../../kernel/registry.ts';
import { openStorage } from '../../storage/open-storage.ts';
import { countInstallationChanges } from './count-installation-changes.ts';

const weekMs = 7 * 86_400_000;
const { signal } = new AbortController();

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let now = Date.parse('2026-03-04T12:00:00.000Z');
  before(async () => {
    fixture = await RegistryFixture.open(engine, { now: () => now });
  });
  after(() => fixture.close());

  const count = (registry: Registry = fixture.registry) => countInstallationChanges(registry, { signal });
  const changes = async () => (await getStatistics(fixture.registry)).weeks.map(({ installations }) => installations);

  test('created and deleted installations are in the statistics that follow, counted once in their week', async () => {
    const app = await fixture.newApp({ status: 'APPROVED' });
    const installations = [await fixture.install(app), await fixture.install(app), await fixture.install(app)];
    assert.deepEqual((await changes()).at(-1), { created: 3, deleted: 0 });
    await count();
    assert.deepEqual((await changes()).at(-1), { created: 3, deleted: 0 });
    now += weekMs;
    await deleteInstallation(fixture.registry, commandLine, installations[0]?.id ?? '');
    await fixture.install(app);
    assert.deepEqual((await changes()).slice(-2), [
      { created: 3, deleted: 0 },
      { created: 1, deleted: 1 },
    ]);
  });

  test('the apps that grow come first, and one that only loses installations is not among them', async () => {
    const [grows, shrinks, most] = [
      await fixture.newApp({ status: 'APPROVED' }),
      await fixture.newApp({ status: 'APPROVED' }),
      await fixture.newApp({ status: 'APPROVED' }),
    ];
    for (let at = 0; at < 9; at += 1) await fixture.install(most);
    for (let at = 0; at < 8; at += 1) await fixture.install(grows);
    const lost = await fixture.install(shrinks);
    await deleteInstallation(fixture.registry, commandLine, lost.id);
    await count();
    const { growingApps } = await getStatistics(fixture.registry);
    assert.deepEqual(growingApps.slice(0, 2), [
      { id: most.id, name: most.name, created: 9, deleted: 0 },
      { id: grows.id, name: grows.name, created: 8, deleted: 0 },
    ]);
    assert.ok(!growingApps.some(({ id }) => id === shrinks.id));
  });

  test('installations that are deleted with their app are counted', async () => {
    const app = await fixture.newApp({ status: 'APPROVED' });
    for (let at = 0; at < 3; at += 1) await fixture.install(app);
    await count();
    const before = (await changes()).at(-1);
    await deleteApp(fixture.registry, commandLine, { appId: app.id, force: true });
    await count();
    assert.deepEqual((await changes()).at(-1), { created: before?.created, deleted: (before?.deleted ?? 0) + 3 });
  });

  test('counts of single apps are deleted after two weeks, and the totals stay', async () => {
    now += 2 * weekMs;
    await fixture.install(await fixture.newApp({ status: 'APPROVED' }));
    await count();
    const rows = await rowsOf(fixture.registry.storage, 'weekly_installations');
    const [latest] = rows.map(({ week }) => week).toSorted((one, other) => other - one);
    assert.deepEqual(
      rows.filter(({ app_id: id }) => id !== '').map(({ week }) => week),
      [latest],
    );
    assert.equal((await changes()).filter(({ created }) => created > 0).length, 3);
  });

  test('several processes that count at the same time count each once', async () => {
    const others = await Promise.all([openStorage(fixture.databaseUrl), openStorage(fixture.databaseUrl)]);
    const app = await fixture.newApp({ status: 'APPROVED' });
    const before = (await changes()).at(-1)?.created ?? 0;
    for (let round = 0; round < 5; round += 1) {
      await fixture.install(app);
      const registries = [fixture.registry, ...others.map((storage) => ({ ...fixture.registry, storage }))];
      await Promise.all(registries.map((registry) => count(registry)));
    }
    for (const storage of others) await storage.close();
    await count();
    assert.equal((await changes()).at(-1)?.created, before + 5);
  });

  test('a restored registry counts from its last event on, and counts nothing twice', async () => {
    const before = await changes();
    const restored = { ...fixture.registry, epoch: 'another' };
    now += 20 * weekMs;
    await count(restored);
    assert.equal((await rowsOf(fixture.registry.storage, 'counted_events')).length, 1);
    await fixture.install(await fixture.newApp({ status: 'APPROVED' }));
    await count(restored);
    assert.deepEqual((await changes()).at(-1), { created: 1, deleted: 0 });
    assert.equal(before.length, 12);
  });
});
