import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { execute, someoneWaits } from '@appregistrar/testkit/storage/storage-test';
import { findAppForUpdate } from '../features/apps/app-queries.ts';
import type { OperatorApp } from '../features/apps/app-schemas.ts';
import { type UpdatedApp, updateApp } from '../features/apps/update-app.ts';
import { openStorage } from '../storage/open-storage.ts';
import { Failure } from './failure.ts';
import { pruneIdempotencyKeys } from './idempotency.ts';
import type { Registry } from './registry.ts';
import { observeClock } from './time.ts';

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
    await observeClock(fixture.registry);
    app = await fixture.newApp();
    actor = (await fixture.newToken('developer')).id;
  });
  after(() => fixture.close());

  test('a retry gets the response of the first request, even after another update, and changes nothing', async () => {
    const first = await update('one', { name: 'First' });
    await update('two', { name: 'Second' });
    const before = await stored();
    assert.deepEqual(await update('one', { name: 'First' }), { ...first, isReplayed: true });
    assert.deepEqual(await stored(), before);
  });

  test('a key is retained for 24 hours, and can then be used again', async () => {
    const first = await update('a day', { name: 'For a day' });
    now += dayMs - 1;
    assert.deepEqual(await update('a day', { name: 'For a day' }), { ...first, isReplayed: true });
    now += 1;
    const second = await update('a day', { name: 'For another day' });
    assert.deepEqual([second.isReplayed, second.app.name], [false, 'For another day']);
    assert.equal((await update('a day', { name: 'For another day' })).isReplayed, true);
  });

  test('a key does not expire by a clock that is ahead and not confirmed', async () => {
    const first = await update('ahead', { name: 'Ahead' });
    const ahead: Registry = { ...fixture.registry, now: () => now + 31 * dayMs };
    assert.deepEqual(await update('ahead', { name: 'Ahead' }, ahead), { ...first, isReplayed: true });
  });

  test('maintenance deletes expired keys only', async () => {
    await update('old', { name: 'Old' });
    now += dayMs / 2;
    await update('young', { name: 'Young' });
    now += dayMs / 2;
    await pruneIdempotencyKeys(fixture.registry);
    assert.deepEqual(await keys(), ['young']);
    assert.equal(await pruneIdempotencyKeys(fixture.registry), 0);
  });

  test('a refused update stores no key, so a retry is validated again', async () => {
    await fixture.newApp({ name: 'Taken' });
    await assert.rejects(update('refused', { name: 'Taken' }), { code: 'name_taken' });
    await assert.rejects(update('refused', { listingInfo: null }), { code: 'invalid_content' });
    assert.equal((await keys()).includes('refused'), false);
    assert.equal((await update('refused', { name: 'Free' })).isReplayed, false);
  });

  test('concurrent retries in two processes create one event', async () => {
    // A second storage on the same database stands for another process.
    const other: Registry = { ...fixture.registry, storage: await openStorage(fixture.databaseUrl) };
    const eventsBefore = (await fixture.eventsOf(app.id)).length;
    const requests = Array.from({ length: 12 }, (_, index) =>
      outcome(update('at once', { name: 'At once' }, index % 2 === 0 ? fixture.registry : other)),
    );
    const outcomes = await Promise.all(requests);
    await other.storage.close();
    assert.equal(outcomes.filter((each) => each === 'done').length, 1, outcomes.join());
    assert.ok(outcomes.every((each) => ['done', 'replayed', 'request_in_progress'].includes(each)));
    assert.equal((await fixture.eventsOf(app.id)).length, eventsBefore + 1);
    assert.equal(await outcome(update('at once', { name: 'At once' })), 'replayed');
  });

  test('while the first request is in progress, a retry in another process is refused or waits for its response', async () => {
    const other: Registry = { ...fixture.registry, storage: await openStorage(fixture.databaseUrl) };
    const { first, repeat } = await fixture.registry.storage.write(async (transaction) => {
      await findAppForUpdate(transaction, { id: app.id });
      // It waits for this transaction to end, which locks the row, and on SQLite the database.
      const first = outcome(update('held', { name: 'Held' }));
      await someoneWaits(fixture.registry.storage);
      const repeat = outcome(update('held', { name: 'Held' }, other));
      if (engine.name === 'postgres') await repeat;
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

  async function outcome(request: Promise<Outcome>): Promise<string> {
    try {
      return (await request).isReplayed ? 'replayed' : 'done';
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
