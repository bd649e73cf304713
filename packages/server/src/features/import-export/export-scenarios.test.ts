import assert from 'node:assert/strict';
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
import { blockLogo, unblockLogo } from '@appregistrar/testkit/calls/logos';
import { reviewApp } from '@appregistrar/testkit/calls/review';
import { updateSettings } from '@appregistrar/testkit/calls/settings';
import { type Engine, on, onSqlite, postgres, sqlite } from '@appregistrar/testkit/engines/engines';
import { exportText, importText } from '@appregistrar/testkit/registry/export-text';
import { everything } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import fc from 'fast-check';
import { csvFilesOf } from '../../../test/registry/csv-files.ts';
import { Failure } from '../../kernel/failure.ts';
import { newId } from '../../kernel/ids.ts';
import { commandLine, type Registry } from '../../kernel/registry.ts';
import { openStorage } from '../../storage/open-storage.ts';
import type { ReviewStep } from '../apps/review/review-status.ts';
import { checkRegistry } from '../integrity/check-registry.ts';
import { openRegistry } from '../settings/settings.ts';
import { importRegistry } from './import-registry.ts';

const seed = 20_260_301;
const dayMs = 86_400_000;

/** Some steps are more frequent, so that apps are often revoked with their installations, and deleted. */
const kinds = [
  ...(['create', 'create', 'install', 'install', 'install', 'install', 'submit', 'approve', 'approve'] as const),
  ...(['revoke', 'revoke and disable', 'revoke and disable', 'revoke and disable', 'reject'] as const),
  ...(['enable', 'disable', 'uninstall', 'rename', 'delete', 'delete', 'restore', 'wait'] as const),
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
      name: fc.constantFrom('One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten'),
    }),
    { minLength: count, maxLength: count },
  );

test(
  `after any steps on SQLite, an export creates the same registry on PostgreSQL, also as CSV (seed ${seed})`,
  on(sqlite, postgres),
  () =>
    fc.assert(
      fc.asyncProperty(steps(50), async (first) => {
        const world = await World.open(sqlite);
        for (const step of first) await world.take(step);
        const text = await exportText(world.registry);
        const copy = await emptyRegistry(postgres, world.now);
        await importText(copy.registry, text);
        assert.equal(await exportText(copy.registry), text);
        await checkRegistry(copy.registry);
        const copyOfCsv = await emptyRegistry(sqlite, world.now);
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

onSqlite((engine) => {
  test(`after any later steps, an import is refused without effect, or changes nothing the second time (seed ${seed})`, async () => {
    let imported = 0;
    await fc.assert(
      fc.asyncProperty(steps(40), steps(3), async (first, second) => {
        const world = await World.open(engine);
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
});

async function isImportable(registry: Registry, text: string): Promise<boolean> {
  const before = await everything(registry.storage);
  const summary = await importText(registry, text).catch(refusal);
  if (!summary) {
    assert.deepEqual(await everything(registry.storage), before);
    return false;
  }
  const again = await importText(registry, text);
  const { developers, logos, apps, installations } = again;
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
  readonly #fixture: RegistryFixture;
  #at = Date.parse('2026-03-01T09:30:00.000Z');

  static async open(engine: Engine): Promise<World> {
    const clock = { now: () => 0 };
    const world = new World(await RegistryFixture.open(engine, { now: () => clock.now() }));
    clock.now = world.now;
    for (let at = 0; at < 12; at += 1) {
      if (at % 4 === 0) await world.take({ kind: 'create', app: 0, installation: 0, name: `Early ${at}` });
      else await world.take({ kind: 'install', app: 0, installation: 0, name: '' });
    }
    return world;
  }

  private constructor(fixture: RegistryFixture) {
    this.#fixture = fixture;
  }

  get registry(): Registry {
    return this.#fixture.registry;
  }

  async take(step: Step): Promise<void> {
    this.#at += 60_000;
    await this.#take(step).catch(refusal);
  }

  async #take({ kind, app, installation, name }: Step): Promise<unknown> {
    const { registry } = this;
    const [appId = '', id = ''] = [this.apps.at(-1 - app), this.#installations.at(-1 - installation)];
    switch (kind) {
      case 'create':
        return this.apps.push((await this.#fixture.newApp({ name, status: 'APPROVED' })).id);
      case 'install': {
        const { userId } = this.#fixture.developer;
        const input = { appId, workspaceId: newId('workspace'), userId };
        const made = await createInstallation(registry, commandLine, input);
        return this.#installations.push(made.id);
      }
      case 'enable':
      case 'disable':
        return setInstallationEnabled(registry, commandLine, { id, enabled: kind === 'enable' });
      case 'uninstall':
        return deleteInstallation(registry, commandLine, id);
      case 'rename':
        return updateAppAsOperator(registry, commandLine, { appId, update: { name } });
      case 'delete':
        return deleteApp(registry, commandLine, { appId, force: installation % 2 === 0 });
      case 'restore':
        return restoreApp(registry, commandLine, appId);
      case 'address':
      case 'no address': {
        const callbackUrl = kind === 'address' ? `https://a.example/${name}` : null;
        return updateAppAsOperator(registry, commandLine, { appId, update: { oauthInfo: { callbackUrl } } });
      }
      case 'transfer': {
        const { developer, otherDeveloper } = this.#fixture;
        const { userId: developerId } = installation % 2 === 0 ? developer : otherDeveloper;
        return transferApp(registry, commandLine, { appId, transfer: { developerId } });
      }
      case 'hold':
        return updateSettings(registry, commandLine, { update: { changesToApproved: 'hold' }, existing: 'hold' });
      case 'live':
        return updateSettings(registry, commandLine, { update: { changesToApproved: 'live' } });
      case 'logo': {
        const { developerId } = await getAppAsOperator(registry, appId);
        const { id: logoId } = await this.#fixture.newLogo(developerId);
        return updateAppAsOperator(registry, commandLine, { appId, update: { logoId } });
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
      default:
        return this.#review(appId, kind);
    }
  }

  #review(appId: string, kind: ReviewStep | 'revoke and disable'): Promise<unknown> {
    const disableInstallations = kind === 'revoke and disable';
    const step = disableInstallations ? 'revoke' : kind;
    const reason = step === 'reject' || step === 'revoke' ? { reason: 'No.' } : {};
    const details = { ...reason, ...(disableInstallations && { disableInstallations }) };
    return reviewApp(this.registry, commandLine, { appId, step, details });
  }

  close(): Promise<void> {
    return this.#fixture.close();
  }
}

/** Ignores refusals: a refused step changes nothing. */
function refusal(error: unknown): null {
  if (error instanceof Failure) return null;
  throw error;
}

async function emptyRegistry(engine: Engine, now: () => number) {
  const database = await engine.createMigratedDatabase();
  const settings = {
    logoBaseUrl: 'https://apps.example.com/logos',
    workspaceIdPrefix: 'workspace',
    userIdPrefix: 'user',
    webhookAllowPrivate: false,
  };
  const registry = await openRegistry(await openStorage(database.url, { create: true }), settings, {
    now,
    machine: { bootId: 'boot', uptimeMs: now },
  });
  const close = async () => {
    await registry.storage.close();
    await database.drop();
  };
  return { registry, close };
}
