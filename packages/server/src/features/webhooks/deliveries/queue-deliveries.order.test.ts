import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deleteApp, restoreApp, updateAppAsOperator } from '@appregistrar/testkit/calls/apps';
import {
  createInstallation,
  deleteInstallation,
  setInstallationEnabled,
} from '@appregistrar/testkit/calls/installations';
import { reviewApp } from '@appregistrar/testkit/calls/review';
import { createWebhook } from '@appregistrar/testkit/calls/webhooks';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { execute } from '@appregistrar/testkit/storage/storage-test';
import { Failure } from '../../../kernel/failure.ts';
import { newId } from '../../../kernel/ids.ts';
import { commandLine, type Registry } from '../../../kernel/registry.ts';
import { openStorage } from '../../../storage/open-storage.ts';

const actors = 6;
const stepsOfEach = 60;
/** The clock of one of the two processes. */
const clockAheadMs = 60_000;

/** An event of a queue, and what it changed. */
interface Queued {
  id: string;
  queue: string;
  type: string;
  subject_id: string;
  before: string | null;
  after: string | null;
}

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let other: Registry;
  let names = 0;
  before(async () => {
    fixture = await RegistryFixture.open(engine);
    const now = () => Date.now() + clockAheadMs;
    other = { ...fixture.registry, now, storage: await openStorage(fixture.databaseUrl) };
  });
  after(async () => {
    await other.storage.close();
    await fixture.close();
  });

  test('concurrent changes of two processes are queued and listed in the order in which they happened', async (t) => {
    await createWebhook(fixture.registry, commandLine, { url: 'https://hooks.example.com/' });
    const apps = [await fixture.newApp({ status: 'APPROVED' }), await fixture.newApp()];
    const known = apps.map(({ id }) => id);
    const installed: string[] = [];
    const act = async (registry: Registry) => {
      for (let step = 0; step < stepsOfEach; step += 1) await doSomething(registry, one(known), installed);
    };
    await Promise.all(Array.from({ length: actors }, (_, at) => act(at % 2 === 0 ? fixture.registry : other)));

    const sql = `select events.id, queue, type, subject_id, "before", "after" from deliveries
      join events on events.id = event_id order by deliveries.position`;
    const queued = (await execute(fixture.registry.storage.reader, sql)) as unknown as Queued[];
    for (const id of known) {
      const events = queued.filter(({ queue }) => queue === id);
      t.diagnostic(`${events.length} events`);
      const listed = (await fixture.eventsOf(id)).map((event) => event.id);
      assert.deepEqual(
        listed.slice(-events.length),
        events.map((event) => event.id),
      );
      const ofApp = events.filter(({ type }) => type.startsWith('app.'));
      for (const field of ['name', 'reviewStatus']) assertFollows(ofApp, field);
      const ofInstallations = events.filter(({ type }) => type.startsWith('installation.'));
      for (const ofOne of Map.groupBy(ofInstallations, ({ subject_id }) => subject_id).values()) {
        assert.equal(ofOne[0]?.type, 'installation.created');
        assertFollows(ofOne, 'enabled');
      }
    }
  });

  async function doSomething(registry: Registry, appId: string, installed: string[]): Promise<void> {
    const step = one(['submit', 'withdraw', 'approve'] as const);
    const ifRevision = undefined;
    await one<() => Promise<unknown>>([
      () => updateAppAsOperator(registry, commandLine, { appId, update: { name: `Name ${++names}` }, ifRevision }),
      () => reviewApp(registry, commandLine, { appId, step }),
      async () => {
        const userId = fixture.developer.id;
        const input = { appId, workspaceId: newId('workspace'), userId };
        installed.push((await createInstallation(registry, commandLine, input)).id);
      },
      () => setInstallationEnabled(registry, commandLine, { id: one(installed) ?? '', enabled: Math.random() < 0.5 }),
      () => deleteInstallation(registry, commandLine, one(installed) ?? ''),
      () => deleteApp(registry, commandLine, { appId, force: true }),
      () => restoreApp(registry, commandLine, appId),
    ])().catch((error: unknown) => {
      // A change that is not possible now is refused.
      if (!(error instanceof Failure)) throw error;
    });
  }
});

function one<Item>(items: readonly Item[]): Item {
  return items[Math.floor(Math.random() * items.length)] as Item;
}

/** Each event starts from the value of a field that the previous one left. */
function assertFollows(events: Queued[], field: string): void {
  let now: unknown;
  for (const { type, before, after } of events) {
    const [from, to] = [before, after].map((json) => (json === null ? undefined : JSON.parse(json)[field]));
    // A creation and a restoration have nothing before them, and a deletion nothing after.
    if (from !== undefined && now !== undefined) assert.equal(from, now, type);
    now = to ?? from ?? now;
  }
}
