import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { updateAppAsOperator } from '@appregistrar/testkit/calls/apps';
import { forEachEngine, on, postgres } from '@appregistrar/testkit/engines/engines';
import { rowsOf } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { readEventFeed } from '../../../../test/calls/events.ts';
import { commandLine, type Registry } from '../../../kernel/registry.ts';
import { openStorage } from '../../../storage/open-storage.ts';
import { findAppForUpdate } from '../../apps/app-queries.ts';
import type { OperatorApp } from '../../apps/app-schemas.ts';
import { appendEvent } from '../append-event.ts';
import type { Event } from '../event.ts';
import { findWaitingEvent } from './event-feed-queries.ts';
import { NewEvents } from './new-events.ts';

const processes = 3;
const appsPerRun = 6;
const changesPerApp = 25;

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let others: Registry[];
  before(async () => {
    fixture = await RegistryFixture.open(engine);
    others = [];
    for (let process = 1; process < processes; process += 1) {
      others.push({ ...fixture.registry, storage: await openStorage(fixture.databaseUrl) });
    }
  });
  after(async () => {
    for (const { storage } of others) await storage.close();
    await fixture.close();
  });

  test('while several processes write, a reader gets every event once, and those of an app in order', async () => {
    const registries = [fixture.registry, ...others];
    const apps: OperatorApp[] = [];
    for (let app = 0; app < appsPerRun; app += 1) apps.push(await fixture.newApp());
    const reader = new FeedReader(registries.at(-1) ?? assert.fail());
    const reading = reader.readUntilEnd();
    const writer = async ({ id: appId }: OperatorApp, registry: Registry) => {
      for (let change = 0; change < changesPerApp; change += 1) {
        if (randomInt(5) === 0) await holdOpen(registry, { appId, turns: randomInt(30) });
        else
          await updateAppAsOperator(registry, commandLine, { appId, update: { name: `${appId} ${randomInt(1e9)}` } });
      }
    };
    await Promise.all(registries.flatMap((registry) => apps.map((app) => writer(app, registry))));
    const stored = await rowsOf(fixture.registry.storage, 'events');
    reader.end = stored.length;
    await reading;
    assert.deepEqual(
      reader.events.map(({ id }) => id).toSorted(),
      stored.map(({ id }) => id),
    );
    for (const [appId, ofApp = []] of Map.groupBy(reader.events, (event) => event.appId)) {
      const ids = ofApp.map(({ id }) => id);
      if (appId !== undefined) assert.deepEqual(ids, ids.toSorted(), appId);
    }
  });
});

describe('a change that is not finished', on(postgres), () => {
  let fixture: RegistryFixture;
  let slow: OperatorApp;
  let quick: OperatorApp;
  let reader: FeedReader;
  let known: number;
  before(async () => {
    fixture = await RegistryFixture.open(postgres);
    [slow, quick] = [await fixture.newApp(), await fixture.newApp()];
  });
  beforeEach(async () => {
    reader = new FeedReader(fixture.registry);
    await reader.readAllStored();
    known = reader.events.length;
  });
  after(() => fixture.close());
  const read = () => reader.events.slice(known).map(({ appId }) => appId);

  test('delays the events after it, and none is missed or out of order', async () => {
    const { registry } = fixture;
    const held = await openChange(registry, slow.id);
    await rename(registry, quick.id);
    await rename(registry, quick.id);
    assert.deepEqual(await reader.readNow(), []);
    assert.ok(await findWaitingEvent(registry.storage), 'which a metric shows');
    held.commit();
    await held.ended;
    await reader.readAllStored();
    assert.equal(await findWaitingEvent(registry.storage), null);
    assert.deepEqual(read(), [slow.id, quick.id, quick.id]);
  });

  test('delays nothing once it is rolled back', async () => {
    const held = await openChange(fixture.registry, slow.id);
    await rename(fixture.registry, quick.id);
    assert.deepEqual(await reader.readNow(), []);
    held.rollBack();
    await assert.rejects(held.ended, /rolled back/);
    await reader.readAllStored();
    assert.deepEqual(read(), [quick.id]);
  });

  test('is read without a further change, if it has waited for others before its event', async () => {
    const held = await openChange(fixture.registry, slow.id, { appendsLast: true });
    await rename(fixture.registry, quick.id);
    held.commit();
    await held.ended;
    // Ends only if the event becomes readable by itself.
    await reader.readAllStored();
    assert.deepEqual(read(), [quick.id, slow.id]);
  });
});

/** Reads the feed by its cursors. */
class FeedReader {
  readonly events: Event[] = [];
  /** How many events there are, once all are stored. */
  end = Number.POSITIVE_INFINITY;
  readonly #registry: Registry;
  #cursor: string | undefined;

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  async readNow(): Promise<Event[]> {
    const { storage } = this.#registry;
    const reading = { newEvents: new NewEvents(storage), signal: AbortSignal.abort() };
    const query = { limit: 1 + randomInt(7), ...(this.#cursor !== undefined && { cursor: this.#cursor }) };
    const page = await readEventFeed(this.#registry, query, reading);
    this.#cursor = page.nextCursor;
    this.events.push(...page.items);
    return page.items;
  }

  async readUntilEnd(): Promise<void> {
    while (this.events.length < this.end) if ((await this.readNow()).length === 0) await nextTurn();
    assert.deepEqual(await this.readNow(), []);
  }

  /** Other databases of the server delay it too. */
  async readAllStored(): Promise<void> {
    this.end = (await rowsOf(this.#registry.storage, 'events')).length;
    await this.readUntilEnd();
  }
}

type Transaction = Parameters<Parameters<Registry['storage']['write']>[0]>[0];

async function append(transaction: Transaction, appId: string): Promise<void> {
  const change = { type: 'app.withdrawn', appId, subjectId: appId } as const;
  const [before, after] = [{ reviewStatus: 'AWAITING_REVIEW' }, { reviewStatus: 'DRAFT', revision: 1 }] as const;
  await appendEvent(transaction, { caller: commandLine, at: Date.now(), ...change, before, after });
}

/** A change of an app in a transaction that stays open. It appends its event at once, or only when it is committed. */
async function openChange({ storage }: Registry, appId: string, { appendsLast = false } = {}) {
  const begun = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const ended = storage.write(async (transaction) => {
    await findAppForUpdate(transaction, { id: appId });
    if (!appendsLast) await append(transaction, appId);
    begun.resolve();
    await end.promise;
    if (appendsLast) await append(transaction, appId);
  });
  await begun.promise;
  return { ended, commit: () => end.resolve(), rollBack: () => end.reject(new Error('rolled back')) };
}

async function holdOpen({ storage }: Registry, { appId, turns }: { appId: string; turns: number }): Promise<void> {
  await storage.write(async (transaction) => {
    await findAppForUpdate(transaction, { id: appId });
    await append(transaction, appId);
    for (let turn = 0; turn < turns; turn += 1) await nextTurn();
  });
}

function rename(registry: Registry, appId: string): Promise<unknown> {
  return updateAppAsOperator(registry, commandLine, { appId, update: { name: `Renamed ${randomInt(1e9)}` } });
}
