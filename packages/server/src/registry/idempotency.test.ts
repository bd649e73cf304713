import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { forEachEngine } from 'app-registry-testkit/engines/engines';
import { RegistryFixture } from 'app-registry-testkit/registry/registry-fixture';
import type { OperatorApp } from '../contract/operator-app.ts';
import { openStorage } from '../storage/open-storage.ts';
import { findAppForUpdate } from '../storage/queries/apps.ts';
import { execute } from '../storage/testing/storage-test.ts';
import { type UpdatedApp, updateApp } from './apps/update-app.ts';
import { Failure } from './failure.ts';
import { pruneIdempotencyKeys } from './idempotency.ts';
import type { Registry } from './registry.ts';

const dayMs = 86_400_000;

interface Outcome extends UpdatedApp {
  isReplayed: boolean;
}

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let app: OperatorApp;
  let actor: string;
  let now = Date.parse('2026-03-01T09:30:00.000Z');
  before(async () => {
    fixture = await RegistryFixture.open(engine, { now: () => now });
    app = await fixture.newApp();
    actor = (await fixture.newToken('developer')).id;
  });
  after(() => fixture.close());

  test('a repeat is answered as the first one, though another update came between, and changes nothing', async () => {
    const first = await update('one', { name: 'First' });
    await update('two', { name: 'Second' });
    const before = await stored();
    assert.deepEqual(await update('one', { name: 'First' }), { ...first, isReplayed: true });
    assert.deepEqual(await stored(), before);
  });

  test('a key is kept 24 hours, and then it is as if it had never been used', async () => {
    const first = await update('a day', { name: 'For a day' });
    now += dayMs - 1;
    assert.deepEqual(await update('a day', { name: 'For a day' }), { ...first, isReplayed: true });
    now += 1;
    const second = await update('a day', { name: 'For another day' });
    assert.deepEqual([second.isReplayed, second.app.name], [false, 'For another day']);
    assert.equal((await update('a day', { name: 'For another day' })).isReplayed, true);
  });

  test('upkeep deletes the keys whose time is over, and no other', async () => {
    await update('old', { name: 'Old' });
    now += dayMs / 2;
    await update('young', { name: 'Young' });
    now += dayMs / 2;
    await pruneIdempotencyKeys(fixture.registry);
    assert.deepEqual(await keys(), ['young']);
    assert.equal(await pruneIdempotencyKeys(fixture.registry), 0);
  });

  test('an update that is refused leaves no key, so that its repeat is judged anew', async () => {
    await fixture.newApp({ name: 'Taken' });
    await assert.rejects(update('refused', { name: 'Taken' }), { code: 'name_taken' });
    await assert.rejects(update('refused', { listingInfo: null }), { code: 'invalid_content' });
    assert.equal((await keys()).includes('refused'), false);
    assert.equal((await update('refused', { name: 'Free' })).isReplayed, false);
  });

  test('many repeats at once, in two processes, make one event', async () => {
    // Another storage on the same database is what another process is.
    const other: Registry = { ...fixture.registry, storage: await openStorage(fixture.databaseUrl) };
    const eventsBefore = (await fixture.eventsOf(app.id)).length;
    const tries = Array.from({ length: 12 }, (_, index) =>
      outcome(update('at once', { name: 'At once' }, index % 2 === 0 ? fixture.registry : other)),
    );
    const outcomes = await Promise.all(tries);
    await other.storage.close();
    assert.equal(outcomes.filter((each) => each === 'done').length, 1, outcomes.join());
    assert.ok(outcomes.every((each) => ['done', 'replayed', 'request_in_progress'].includes(each)));
    assert.equal((await fixture.eventsOf(app.id)).length, eventsBefore + 1);
    assert.equal(await outcome(update('at once', { name: 'At once' })), 'replayed');
  });

  test('while the first one is at work a repeat in another process is told so, or waits for its answer', async () => {
    const other: Registry = { ...fixture.registry, storage: await openStorage(fixture.databaseUrl) };
    const { first, repeat } = await fixture.registry.storage.write(async (transaction) => {
      await findAppForUpdate(transaction, { id: app.id });
      // It waits for this transaction to end: the row is locked, and on SQLite the whole database is.
      const first = outcome(update('held', { name: 'Held' }));
      await sleep(100);
      const repeat = outcome(update('held', { name: 'Held' }, other));
      await sleep(100);
      return { first, repeat };
    });
    assert.deepEqual((await Promise.all([first, repeat])).toSorted(), [
      'done',
      engine.name === 'postgres' ? 'request_in_progress' : 'replayed',
    ]);
    await other.storage.close();
  });

  async function update(key: string, change: object, registry: Registry = fixture.registry): Promise<Outcome> {
    let isReplayed = false;
    const onReplay = () => {
      isReplayed = true;
    };
    const caller = { actor, requestId: null, idempotency: { key, onReplay } };
    const input = { appId: app.id, developerId: app.developerId, update: change };
    return { ...(await updateApp(registry, caller, input)), isReplayed };
  }

  async function outcome(answer: Promise<Outcome>): Promise<string> {
    try {
      return (await answer).isReplayed ? 'replayed' : 'done';
    } catch (error) {
      assert.ok(error instanceof Failure);
      return error.code;
    }
  }

  async function stored(): Promise<unknown[]> {
    const { reader } = fixture.registry.storage;
    return [await execute(reader, 'select * from apps order by id'), await fixture.eventsOf(app.id)];
  }

  async function keys(): Promise<unknown[]> {
    const rows = await execute(fixture.registry.storage.reader, 'select key from idempotency_keys order by key');
    return rows.map(({ key }) => key);
  }
});
