import assert from 'node:assert/strict';
import { randomFillSync } from 'node:crypto';
import { test } from 'node:test';
import {
  deleteApp,
  getAppAsOperator,
  restoreApp,
  transferApp,
  updateAppAsOperator,
} from '@appregistrar/testkit/calls/apps';
import {
  createInstallation,
  deleteInstallation,
  setInstallationEnabled,
} from '@appregistrar/testkit/calls/installations';
import { blockLogo, createLogo, unblockLogo } from '@appregistrar/testkit/calls/logos';
import { reviewApp } from '@appregistrar/testkit/calls/review';
import { updateSettings } from '@appregistrar/testkit/calls/settings';
import { type Engine, isTested, on, postgres, sqlite, sqliteInMemory } from '@appregistrar/testkit/engines/engines';
import { exportText, importText } from '@appregistrar/testkit/registry/export-text';
import { created, unchanged } from '@appregistrar/testkit/registry/import-file';
import { everything, rowsOf, withoutTags } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import fc from 'fast-check';
import sharp from 'sharp';
import { csvFilesOf } from '../../../test/registry/csv-files.ts';
import { Failure } from '../../kernel/failure.ts';
import { newId } from '../../kernel/ids.ts';
import { commandLine, type Registry } from '../../kernel/registry.ts';
import { checkRegistry } from '../integrity/check-registry.ts';
import { exportRegistry } from './export-registry.ts';
import { importRegistry } from './import-registry.ts';

const seed = 20_260_301;
const dayMs = 86_400_000;

/** Some steps are more frequent, so that apps are often revoked with their installations, and deleted. */
const kinds = [
  ...(['create', 'create', 'install', 'install', 'install', 'install', 'submit', 'approve', 'approve'] as const),
  ...(['revoke', 'revoke and disable', 'revoke and disable', 'revoke and disable', 'reject'] as const),
  ...(['enable', 'disable', 'uninstall', 'rename', 'describe', 'delete', 'delete', 'restore', 'wait'] as const),
  ...(['address', 'address', 'no address', 'transfer', 'hold', 'live', 'logo', 'block', 'unblock'] as const),
];

interface Step {
  kind: (typeof kinds)[number];
  app: number;
  installation: number;
  name: string;
}

/** Few apps, installations and names, so that steps affect the same objects. */
const steps = (count: number) =>
  fc.array(
    fc.record({
      kind: fc.constantFrom(...kinds),
      app: fc.nat(4),
      installation: fc.nat(6),
      name: fc.constantFrom('One', 'Two', 'Three', 'Four', 'Ångström ẞ', 'Six', 'Seven', 'Eight', 'Nine', 'Ten 🚀'),
    }),
    { minLength: count, maxLength: count },
  );

for (const [from, to] of [[sqlite, postgres] as const, [postgres, sqlite] as const]) {
  test(
    `after any steps on ${from.name}, an export creates the same registry on ${to.name}, also as CSV (seed ${seed})`,
    on(from, to),
    () =>
      fc.assert(
        fc.asyncProperty(steps(50), async (first) => {
          const world = await World.open(from);
          for (const step of first) await world.take(step);
          // Approved content of an app that is not approved is seldom among random steps.
          const last = { app: 0, installation: 0, name: 'Revoked' };
          for (const kind of ['create', 'revoke'] as const) await world.take({ kind, ...last });
          const text = await exportText(world.registry);
          const copy = await emptyFixture(to, world.now);
          await importText(copy.registry, text);
          assert.equal(await exportText(copy.registry), text);
          await checkRegistry(copy.registry);
          // What an export leaves out is not in that of the copy either.
          for (const id of world.apps)
            assert.deepEqual(await approvedIn(copy.registry, id), await approvedIn(world.registry, id));
          const copyOfCsv = await emptyFixture(sqlite, world.now);
          await importRegistry(copyOfCsv.registry, commandLine, { csv: { files: csvFilesOf(text).toReversed() } });
          assert.equal(await exportText(copyOfCsv.registry), text);
          await copyOfCsv.close();

          await bringBackAll([world.registry, copy.registry], world.apps);
          assert.equal(await exportText(copy.registry), await exportText(world.registry));
          await copy.close();
          await world.close();
        }),
        { seed, numRuns: 2, endOnFailure: true },
      ),
  );
}

test(`after any later steps, an import is refused without effect, or changes nothing the second time (seed ${seed})`, async () => {
  let imported = 0;
  await fc.assert(
    fc.asyncProperty(steps(40), steps(3), async (first, second) => {
      const world = await World.open(sqlite);
      for (const step of first) await world.take(step);
      const text = await exportText(world.registry);
      for (const step of second) await world.take(step);
      if (await isImportable(world.registry, text)) imported += 1;
      await checkRegistry(world.registry);
      await world.close();
    }),
    { seed, numRuns: 5, endOnFailure: true },
  );
  assert.ok(imported >= 1, `only ${imported} were not refused`);
});

test('an export is ordered by type and id, with deleted apps after the others, and contains no token', async () => {
  const world = await World.open(sqlite);
  for (const kind of ['logo', 'delete', 'create'] as const)
    await world.take({ kind, app: 1, installation: 0, name: 'N' });
  const { token } = await world.fixture.newToken('developer');
  const text = await exportText(world.registry);
  const types = ['developer', 'logo', 'app', 'installation'];
  const keys = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
    .map(({ type, id, userId, deletedAt }) => `${types.indexOf(type)} ${deletedAt ? 1 : 0} ${id ?? userId}`);
  assert.deepEqual(keys, keys.toSorted());
  assert.deepEqual([...new Set(keys.map((key) => key.slice(0, 3)))], ['0 0', '1 0', '2 0', '2 1', '3 0']);
  assert.ok(!text.includes(token) && !text.includes('token_'));
  await world.close();
});

test('an export excludes apps deleted 30 days ago', async () => {
  let now = Date.parse('2026-03-01T09:30:00.000Z');
  const fixture = await RegistryFixture.open(sqlite, { now: () => now });
  const text = await exportText(fixture.registry);
  const { id: appId } = await fixture.newApp();
  await deleteApp(fixture.registry, commandLine, { appId });
  assert.notEqual(await exportText(fixture.registry), text);
  now += 30 * dayMs;
  assert.equal(await exportText(fixture.registry), text);
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

test('a stored logo may be larger than any upload, and an import accepts it', async () => {
  const fixture = await RegistryFixture.open(sqlite);
  const other = await RegistryFixture.open(sqlite);
  // Two identical halves: WebP exploits the repetition. For PNG it is too far apart.
  const half = randomFillSync(Buffer.alloc((512 * 512 * 4) / 2));
  const raw = { width: 512, height: 512, channels: 4 } as const;
  const noise = sharp(Buffer.concat([half, half]), { raw }).webp({ lossless: true, exact: true });
  const image = await noise.toBuffer();
  await createLogo(fixture.registry, commandLine, { developerId: fixture.developer.id, image });
  const [{ png } = assert.fail()] = await rowsOf(fixture.registry.storage, 'logos');
  assert.ok(image.length < 700_000 && png.length > 1_048_576);
  const text = await exportText(fixture.registry);
  assert.deepEqual(await importText(other.registry, text), created({ developers: 2, logos: 1 }));
  assert.deepEqual((await rowsOf(other.registry.storage, 'logos'))[0]?.png, png);
  assert.deepEqual(await importText(fixture.registry, text), unchanged({ developers: 2, logos: 1 }));
  await other.close();
  await fixture.close();
});

/** What is approved of an app; undefined if nothing is, or if it was purged. */
async function approvedIn(registry: Registry, appId: string): Promise<object | undefined> {
  const app = await getAppAsOperator(registry, appId).catch(refusal);
  return app?.approved && withoutTags(app.approved);
}

async function isImportable(registry: Registry, text: string): Promise<boolean> {
  const before = await everything(registry.storage);
  const summary = await importText(registry, text).catch(refusal);
  if (!summary) {
    assert.deepEqual(await everything(registry.storage), before);
    return false;
  }
  const { developers, logos, apps, installations } = await importText(registry, text);
  for (const { created, updated } of [developers, logos, apps, installations])
    assert.deepEqual([created, updated], [0, 0]);
  return true;
}

/** Restores and approves everything possible: this reveals what an export left out. */
async function bringBackAll(registries: Registry[], appIds: string[]): Promise<void> {
  for (const registry of registries) {
    for (const appId of appIds) {
      await restoreApp(registry, commandLine, appId).catch(refusal);
      await reviewApp(registry, commandLine, { appId, step: 'submit' }).catch(refusal);
      await reviewApp(registry, commandLine, { appId, step: 'approve' }).catch(refusal);
    }
  }
}

/** A registry with its own clock, on which random steps are tried. */
class World {
  readonly now = () => this.#at;
  readonly apps: string[] = [];
  readonly #installations: string[] = [];
  #fixture: RegistryFixture | undefined;
  #at = Date.parse('2026-03-01T09:30:00.000Z');

  static async open(engine: Engine): Promise<World> {
    const world = new World();
    world.#fixture = await RegistryFixture.open(engine, { now: world.now });
    for (let at = 0; at < 12; at += 1) {
      await world.take({ kind: at % 4 === 0 ? 'create' : 'install', app: 0, installation: 0, name: `Early ${at}` });
    }
    return world;
  }

  get fixture() {
    return this.#fixture ?? assert.fail('it is not open');
  }

  get registry() {
    return this.fixture.registry;
  }

  async take(step: Step): Promise<void> {
    this.#at += 60_000;
    await this.#take(step).catch(refusal);
  }

  async #take({ kind, app, installation, name }: Step): Promise<unknown> {
    const { registry, fixture } = this;
    const { developer, otherDeveloper } = fixture;
    const [appId = '', id = ''] = [this.apps.at(-1 - app), this.#installations.at(-1 - installation)];
    const isEven = installation % 2 === 0;
    const update = (changes: object) => updateAppAsOperator(registry, commandLine, { appId, update: changes });
    switch (kind) {
      case 'create':
        return this.apps.push((await fixture.newApp({ name, status: 'APPROVED' })).id);
      case 'install': {
        const input = { appId, workspaceId: newId('workspace'), userId: developer.id };
        const made = await createInstallation(registry, commandLine, input);
        return this.#installations.push(made.id);
      }
      case 'enable':
      case 'disable':
        return setInstallationEnabled(registry, commandLine, { id, enabled: kind === 'enable' });
      case 'uninstall':
        return deleteInstallation(registry, commandLine, id);
      case 'rename':
        return update({ name });
      case 'describe': {
        const longDescription = isEven ? 'Long.\r\n\t"Longer" \\.' : null;
        return update({ listingInfo: { backgroundColor: '#0bF', shortDescription: name, longDescription } });
      }
      case 'delete':
        return deleteApp(registry, commandLine, { appId, force: isEven });
      case 'restore':
        return restoreApp(registry, commandLine, appId);
      case 'address':
        return update({ oauthInfo: { callbackUrl: `https://a.example/${encodeURIComponent(name)}` } });
      case 'no address':
        return update({ oauthInfo: { callbackUrl: null, loginUrl: 'http://localhost:3000/' } });
      case 'transfer': {
        const { id: developerId } = isEven ? developer : otherDeveloper;
        return transferApp(registry, commandLine, { appId, transfer: { developerId } });
      }
      case 'hold':
        return updateSettings(registry, commandLine, { update: { changesToApproved: 'hold' }, existing: 'hold' });
      case 'live':
        return updateSettings(registry, commandLine, { update: { changesToApproved: 'live' } });
      case 'logo': {
        const { developerId } = await getAppAsOperator(registry, appId);
        const { id: logoId } = await fixture.newLogo(developerId);
        return update({ logoId });
      }
      case 'block':
      case 'unblock': {
        const { logoId = '' } = await getAppAsOperator(registry, appId);
        if (kind === 'unblock') return unblockLogo(registry, commandLine, logoId);
        return blockLogo(registry, commandLine, { id: logoId, block: { reason: 'A foreign trademark.' } });
      }
      case 'wait':
        this.#at += 10 * dayMs;
        return;
      case 'revoke and disable': {
        const details = { message: 'No.', disableInstallations: true };
        return reviewApp(registry, commandLine, { appId, step: 'revoke', details });
      }
      default:
        return fixture.review(appId, kind);
    }
  }

  close(): Promise<void> {
    return this.fixture.close();
  }
}

/** Ignores refusals: a refused step changes nothing. */
function refusal(error: unknown): null {
  if (error instanceof Failure) return null;
  throw error;
}

/** Without the developers of a fixture. */
async function emptyFixture(engine: Engine, now: () => number): Promise<RegistryFixture> {
  const fixture = await RegistryFixture.open(engine, { now });
  await fixture.registry.storage.write(async (transaction) => {
    for (const table of ['events', 'developers', 'search_texts'] as const) {
      await transaction.run(transaction.builder.deleteFrom(table).compile());
    }
  });
  return fixture;
}
