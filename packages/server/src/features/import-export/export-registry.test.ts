import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { deleteApp, getAppAsOperator, listDeletedApps, restoreApp } from '@appregistrar/testkit/calls/apps';
import { createInstallation, setInstallationEnabled } from '@appregistrar/testkit/calls/installations';
import { reviewApp } from '@appregistrar/testkit/calls/review';
import { type Engine, isTested, postgres, sqlite, sqliteInMemory } from '@appregistrar/testkit/engines/engines';
import { exportText, importText } from '@appregistrar/testkit/registry/export-text';
import { created, unchanged } from '@appregistrar/testkit/registry/import-file';
import { everything, rowsOf, withoutTags } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { newId } from '../../kernel/ids.ts';
import { commandLine, type Registry } from '../../kernel/registry.ts';
import { catchUp } from '../apps/comparison/projections.ts';
import { updateApp } from '../apps/update-app.ts';
import { exportRegistry } from './export-registry.ts';

const pairs: [from: Engine, to: Engine][] = [
  [sqlite, postgres],
  [postgres, sqlite],
];

for (const [from, to] of pairs.filter((pair) => pair.every(isTested))) {
  describe(`from ${from.name} to ${to.name}`, () => {
    test('an export, imported into an empty registry and exported again, has the same bytes', async () => {
      const source = await RegistryFixture.open(from);
      const target = await emptyFixture(to);
      const { apps, deleted, installations } = await fill(source);
      const first = await exportText(source.registry);

      const summary = await importText(target.registry, first);
      const counts = { developers: 2, logos: 2, apps: apps.length + deleted.length, installations };
      assert.deepEqual(summary, created(counts));
      assert.equal(await exportText(target.registry), first);

      for (const id of apps) {
        assert.deepEqual(
          withoutTags(await getAppAsOperator(target.registry, id)),
          withoutTags(await getAppAsOperator(source.registry, id)),
        );
      }
      const listed = await listDeletedApps(source.registry, {});
      assert.equal(listed.items.length, deleted.length);
      const { items } = await listDeletedApps(target.registry, {});
      assert.deepEqual(items.map(withoutTags), listed.items.map(withoutTags));
      for (const id of deleted) {
        const restored = await restoreApp(target.registry, commandLine, id);
        assert.deepEqual(withoutTags(restored), withoutTags(await restoreApp(source.registry, commandLine, id)));
      }
      const bytes = async ({ storage }: Registry) =>
        (await rowsOf(storage, 'logos')).map(({ png }) => Buffer.from(png));
      assert.deepEqual(await bytes(target.registry), await bytes(source.registry));
      await source.close();
      await target.close();
    });

    test('an export, imported into its own registry, changes nothing', async () => {
      const source = await RegistryFixture.open(from);
      const { apps, deleted, installations } = await fill(source);
      await catchUp(source.registry);
      const before = await everything(source.registry.storage);
      const summary = await importText(source.registry, await exportText(source.registry));
      assert.deepEqual(
        summary,
        unchanged({ developers: 2, logos: 2, apps: apps.length + deleted.length, installations }),
      );
      assert.deepEqual(await everything(source.registry.storage), before);
      await source.close();
    });
  });
}

test('an export is ordered by type and id, with deleted apps after the others, and contains no token', async () => {
  const fixture = await RegistryFixture.open(sqlite);
  await fill(fixture);
  const { token } = await fixture.newToken('developer');
  const text = await exportText(fixture.registry);
  const types = ['developer', 'logo', 'app', 'installation'];
  const keys = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
    .map(({ type, id, userId, deletedAt }) => `${types.indexOf(type)} ${deletedAt ? 1 : 0} ${id ?? userId}`);
  assert.deepEqual(keys, keys.toSorted());
  assert.equal(keys.filter((key) => key.startsWith('2 1 ')).length, 2);
  assert.ok(!text.includes(token) && !text.includes('token_'));
  await fixture.close();
});

test('an export excludes apps deleted 30 days ago, and so does an import', async () => {
  let now = Date.parse('2026-03-01T09:30:00.000Z');
  const fixture = await RegistryFixture.open(sqlite, { now: () => now });
  const { id } = await fixture.newApp();
  await deleteApp(fixture.registry, commandLine, { appId: id });
  const text = await exportText(fixture.registry);
  now += 30 * 86_400_000;
  assert.equal(await exportText(fixture.registry), text.split('\n').slice(0, 2).join('\n').concat('\n'));

  const later = await emptyFixture(sqlite, () => now);
  const { apps } = await importText(later.registry, text);
  assert.deepEqual(apps, { created: 0, updated: 0, unchanged: 1 });
  assert.deepEqual(await rowsOf(later.registry.storage, 'deleted_apps'), []);
  await later.close();
  await fixture.close();
});

test('an export is a snapshot of one moment, despite concurrent writes', async () => {
  for (const engine of [sqlite, sqliteInMemory, postgres].filter(isTested)) {
    const fixture = await RegistryFixture.open(engine);
    const app = await fixture.newApp({ status: 'APPROVED' });
    const text = await exportText(fixture.registry);
    let seen = '';
    await exportRegistry(fixture.registry, async (lines) => {
      seen += lines;
      await fixture.install(app);
    });
    assert.equal(seen, text, engine.name);
    await fixture.close();
  }
});

async function emptyFixture(engine: Engine, now?: () => number): Promise<RegistryFixture> {
  const fixture = await RegistryFixture.open(engine, now && { now });
  await fixture.registry.storage.write(async (transaction) => {
    for (const table of ['events', 'developers'] as const) {
      await transaction.run(transaction.builder.deleteFrom(table).compile());
    }
  });
  return fixture;
}

/** Apps in every review state, with every field set. */
async function fill(fixture: RegistryFixture): Promise<{ apps: string[]; deleted: string[]; installations: number }> {
  const { registry, developer, otherDeveloper } = fixture;
  const logo = await fixture.newLogo();
  const other = await fixture.newLogo();
  const full = {
    logoId: logo.id,
    listingInfo: { backgroundColor: '#0bF', shortDescription: 'Short. 🚀', longDescription: 'Long.\r\n\t"Longer" \\.' },
    oauthInfo: { loginUrl: 'https://example.com/login', callbackUrl: 'http://localhost:3000/' },
  };
  const change = async (appId: string, update: object) => {
    await updateApp(registry, commandLine, { appId, developerId: developer.userId, update });
  };
  const apps = [];
  for (const status of ['DRAFT', 'AWAITING_REVIEW', 'APPROVED', 'REJECTED'] as const) {
    apps.push(await fixture.newApp({ status, ...full, name: `Full ${status}` }), await fixture.newApp({ status }));
  }
  apps.push(await fixture.newApp({ developerId: otherDeveloper.userId, name: 'Ångström ẞ' }));
  const [changed, changedBack, revoked, again] = await Promise.all(
    [1, 2, 3, 4].map((at) => fixture.newApp({ status: 'APPROVED', name: `Approved ${at}`, ...full })),
  );
  assert.ok(changed && changedBack && revoked && again);
  await change(changed.id, { logoId: other.id, listingInfo: { longDescription: null } });
  await change(changedBack.id, { name: 'Another name' });
  await change(changedBack.id, { name: changedBack.name });
  await fixture.review(revoked.id, 'revoke');
  await fixture.review(again.id, 'revoke');
  await change(again.id, { logoId: null });
  await fixture.review(again.id, 'submit');
  apps.push(changed, changedBack, revoked, again);

  for (const app of [changed, changed, changedBack]) await fixture.install(app);
  const { id } = await createInstallation(registry, commandLine, {
    appId: changed.id,
    workspaceId: newId('workspace'),
    userId: newId('user'),
  });
  await setInstallationEnabled(registry, commandLine, { id, enabled: false });

  const stopped = await fixture.newApp({ status: 'APPROVED', name: 'Stopped' });
  for (let made = 0; made < 3; made += 1) await fixture.install(stopped);
  const { id: offByHand } = await fixture.install(stopped);
  const details = { reason: 'It sends spam.', disableInstallations: true };
  await reviewApp(registry, commandLine, { appId: stopped.id, step: 'revoke', details });
  await setInstallationEnabled(registry, commandLine, { id: offByHand, enabled: false });
  apps.push(stopped);

  const deleted = [
    await fixture.newApp({ name: 'Deleted' }),
    await fixture.newApp({ status: 'APPROVED', name: 'Deleted with every field', ...full }),
  ];
  await change(deleted[1]?.id ?? '', { logoId: other.id });
  for (const { id: appId } of deleted) await deleteApp(registry, commandLine, { appId });
  apps.push(await fixture.newApp({ name: 'Live' }));
  return { apps: apps.map((app) => app.id), deleted: deleted.map((app) => app.id), installations: 8 };
}
