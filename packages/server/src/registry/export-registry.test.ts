import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { demoLogo } from '../cli/dev/demo-logo.ts';
import { type Engine, postgres, sqlite, sqliteInMemory } from '../testing/engines.ts';
import { created, unchanged } from '../testing/import-file.ts';
import { everything, rowsOf } from '../testing/recorded.ts';
import { RegistryFixture } from '../testing/registry-fixture.ts';
import { addLogo } from './add-logo.ts';
import { createInstallation } from './create-installation.ts';
import { exportRegistry } from './export-registry.ts';
import { importRegistry } from './import-registry.ts';
import { commandLine, type Registry } from './registry.ts';
import { setInstallationEnabled } from './set-installation-enabled.ts';
import { showApp } from './show-app.ts';
import { newId } from './type-id.ts';
import { updateApp } from './update-app.ts';

const pairs: [from: Engine, to: Engine][] = [
  [sqlite, postgres],
  [postgres, sqlite],
  [postgres, sqliteInMemory],
];

for (const [from, to] of pairs) {
  describe(`from ${from.name} to ${to.name}`, () => {
    test('an export that is imported into an empty registry and exported again is the same, byte for byte', async () => {
      const source = await RegistryFixture.open(from);
      const target = await emptyFixture(to);
      const { apps, installations } = await fill(source);
      const first = await textOf(source.registry);

      const summary = await importText(target.registry, first);
      assert.deepEqual(summary, created({ developers: 2, logos: 2, apps: apps.length, installations }));
      assert.equal(await textOf(target.registry), first);

      for (const id of apps) assert.deepEqual(await showApp(target.registry, id), await showApp(source.registry, id));
      const bytes = async ({ storage }: Registry) =>
        (await rowsOf(storage, 'logos')).map(({ png }) => Buffer.from(png));
      assert.deepEqual(await bytes(target.registry), await bytes(source.registry));
      await source.close();
      await target.close();
    });

    test('what is imported where it came from changes nothing at all', async () => {
      const source = await RegistryFixture.open(from);
      const { apps, installations } = await fill(source);
      const before = await everything(source.registry.storage);
      const summary = await importText(source.registry, await textOf(source.registry));
      assert.deepEqual(summary, unchanged({ developers: 2, logos: 2, apps: apps.length, installations }));
      assert.deepEqual(await everything(source.registry.storage), before);
      await source.close();
    });
  });
}

test('an export has its lines ordered by type and id, and no token in it', async () => {
  const fixture = await RegistryFixture.open(sqlite);
  await fill(fixture);
  const { token } = await fixture.newToken('developer');
  const text = await textOf(fixture.registry);
  const types = ['developer', 'logo', 'app', 'installation'];
  const keys = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
    .map(({ type, id, userId }) => `${types.indexOf(type)} ${id ?? userId}`);
  assert.deepEqual(keys, keys.toSorted());
  assert.ok(!text.includes(token) && !text.includes('token_'));
  await fixture.close();
});

test('an export is of one moment, whatever is written while it is read', async () => {
  for (const engine of [sqlite, sqliteInMemory, postgres]) {
    const fixture = await RegistryFixture.open(engine);
    const app = await fixture.newApp({ status: 'APPROVED' });
    const text = await textOf(fixture.registry);
    let seen = '';
    await exportRegistry(fixture.registry, async (lines) => {
      seen += lines;
      await fixture.install(app);
    });
    assert.equal(seen, text, engine.name);
    await fixture.close();
  }
});

async function emptyFixture(engine: Engine): Promise<RegistryFixture> {
  const fixture = await RegistryFixture.open(engine);
  await fixture.registry.storage.write(async (transaction) => {
    for (const table of ['events', 'developers'] as const) {
      await transaction.run(transaction.builder.deleteFrom(table).compile());
    }
  });
  return fixture;
}

/** Apps in every state that review can lead to, with all that an app can have. */
async function fill(fixture: RegistryFixture): Promise<{ apps: string[]; installations: number }> {
  const { registry, developer, otherDeveloper } = fixture;
  const image = await demoLogo(0x0b5fff, 0xffc53d);
  const logo = await addLogo(registry, commandLine, { developerId: developer.userId, image });
  const other = await addLogo(registry, commandLine, { developerId: developer.userId, image: await demoLogo(1, 2) });
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
  return { apps: apps.map((app) => app.id), installations: 4 };
}

async function textOf(registry: Registry): Promise<string> {
  let text = '';
  await exportRegistry(registry, async (lines) => {
    text += lines;
  });
  return text;
}

function importText(registry: Registry, text: string) {
  const open = async function* () {
    yield Buffer.from(text);
  };
  return importRegistry(registry, commandLine, { open });
}
