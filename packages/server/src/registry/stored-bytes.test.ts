import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import type { OperatorApp } from '../contract/operator-app.ts';
import { openStorage } from '../storage/open-storage.ts';
import { execute } from '../storage/testing/storage-test.ts';
import { updateApp } from './apps/update-app.ts';
import { updateAppAsOperator } from './apps/update-app-as-operator.ts';
import { commandLine, type Registry } from './registry.ts';
import { mostStoredBytes, pruneStoredBytes, StoredBytesExceeded } from './stored-bytes.ts';

const bytesMax = 20_000;
const hourMs = 3_600_000;

forEachEngine((engine) => {
  let fixture: RegistryFixture | undefined;
  let registry: Registry;
  let app: OperatorApp;
  let now: number;
  beforeEach(async () => {
    await fixture?.close();
    now = Date.parse('2026-03-01T22:59:59.500Z');
    fixture = await RegistryFixture.open(engine, { now: () => now, storedBytesPerDeveloperPerDay: bytesMax });
    registry = fixture.registry;
    app = await fixture.newApp();
  });
  after(() => fixture?.close());

  test('updates are refused once their developer has stored the bytes of a day, until the day ends in UTC', async () => {
    assert.equal(await updateUntilRefused(), 2);
    const refusal = await refusalOf(update({ description: text(4_000) }));
    assert.deepEqual([refusal.bytesMax, refusal.secondsLeft], [bytesMax, 3_601]);
    assert.ok(refusal.bytesLeft > 0 && refusal.bytesLeft < 9_000, String(refusal.bytesLeft));
    now += hourMs;
    assert.equal((await refusalOf(update({ description: text(4_000) }))).secondsLeft, 1);
    now += 500;
    await update({ description: text(4_000) });
  });

  test('a refused update leaves nothing behind, and a smaller one is still accepted', async () => {
    await updateUntilRefused();
    const before = await stored();
    for (const name of [undefined, 'Renamed']) {
      await refusalOf(update({ description: text(4_000), ...(name && { name }), key: 'refused' }));
    }
    assert.deepEqual(await stored(), before);
    await update({ name: 'Smaller' });
  });

  test('processes share the bytes of a developer', async () => {
    const other = { ...registry, storage: await openStorage(fixture?.databaseUrl ?? '') };
    await updateUntilRefused();
    await refusalOf(update({ description: text(4_000), by: other }));
    await other.storage.close();
  });

  test('a taken name is reported before the byte limit, even by a process that knows that no bytes are left', async () => {
    await fixture?.newApp({ name: 'Taken' });
    await updateUntilRefused();
    await assert.rejects(update({ name: 'Taken', description: text(4_000) }), { code: 'name_taken' });
  });

  test('each developer has their own budget, and operators are not counted', async () => {
    await updateUntilRefused();
    const others = await fixture?.newApp({ developerId: fixture.otherDeveloper.userId });
    await update({ description: text(4_000), target: others ?? app });
    await updateAppAsOperator(registry, commandLine, { appId: app.id, update: { name: 'By an operator' } });
  });

  test('an update without effect stores nothing but its idempotency key', async () => {
    await update({ name: 'Same' });
    const before = await mostStoredBytes(registry);
    await update({ name: 'Same' });
    await updateApp(registry, commandLine, { appId: app.id, developerId: app.developerId, update: {} });
    assert.equal(await mostStoredBytes(registry), before);
    await update({ name: 'Same', key: 'same' });
    const counted = (await mostStoredBytes(registry)) - before;
    assert.ok(counted > 500 && counted < 1_500, String(counted));
    await update({ name: 'Same', key: 'same' });
    assert.equal(await mostStoredBytes(registry), before + counted);
  });

  test('a response stored under a key counts, including the texts that it makes the registry store again', async () => {
    await update({ description: text(4_000) });
    const before = await mostStoredBytes(registry);
    await update({ name: 'One', key: 'one' });
    const first = (await mostStoredBytes(registry)) - before;
    await update({ name: 'Two', key: 'two' });
    const second = (await mostStoredBytes(registry)) - before - first;
    assert.ok(first > 5_500 && first < 8_000, String(first));
    assert.ok(second > 1_500 && second < 4_000, String(second));
  });

  test('without a limit nothing is counted', async () => {
    const unlimited = { ...registry, storedBytesPerDeveloperPerDay: 0 };
    await update({ description: text(4_000), by: unlimited });
    assert.equal(await mostStoredBytes(registry), 0);
  });

  test('concurrent updates of one developer together store no more than the limit', async () => {
    const apps = await Promise.all(Array.from({ length: 8 }, () => fixture?.newApp()));
    const results = await Promise.allSettled(
      apps.map((target) => update({ description: text(4_000), target: target ?? app })),
    );
    const accepted = results.filter(({ status }) => status === 'fulfilled').length;
    assert.equal(accepted, Math.floor(bytesMax / (await bytesOfFirst())));
    assert.ok((await mostStoredBytes(registry)) <= bytesMax);
  });

  test('maintenance keeps the counts of today and yesterday', async () => {
    for (const name of ['One', 'Two', 'Three']) {
      await update({ name });
      now += 24 * hourMs;
    }
    now -= 24 * hourMs;
    await pruneStoredBytes(registry);
    const days = await execute(registry.storage.reader, 'select day from stored_bytes order by day');
    assert.deepEqual(
      days.map(({ day }) => day),
      ['2026-03-02', '2026-03-03'],
    );
  });

  interface Change {
    name?: string;
    description?: string;
    key?: string;
    target?: OperatorApp;
    by?: Registry;
  }

  async function update({ name, description, key, target = app, by = registry }: Change): Promise<void> {
    const caller = {
      actor: 'token_1',
      requestId: null,
      ...(key !== undefined && { idempotency: { key, onReplay: () => {} } }),
    };
    const change = {
      ...(name !== undefined && { name }),
      ...(description !== undefined && { listingInfo: { longDescription: description } }),
    };
    await updateApp(by, caller, { appId: target.id, developerId: target.developerId, update: change });
  }

  async function updateUntilRefused(): Promise<number> {
    for (let updates = 0; ; updates += 1) {
      try {
        await update({ description: text(4_000, updates) });
      } catch (error) {
        assert.ok(error instanceof StoredBytesExceeded);
        return updates;
      }
    }
  }

  /** What an update that sets the description for the first time stores. */
  async function bytesOfFirst(): Promise<number> {
    const [row] = await execute<{ bytes: number }>(
      registry.storage.reader,
      `select 1000 + length(before) + length(after) + coalesce(length(details), 0) as bytes from events
        where type = 'app.updated' order by id desc limit 1`,
    );
    return Number(row?.bytes);
  }

  async function stored(): Promise<unknown[]> {
    const tables = ['apps', 'events', 'idempotency_keys', 'response_texts', 'stored_bytes'];
    return Promise.all(tables.map((table) => execute(registry.storage.reader, `select * from ${table} order by 1`)));
  }
});

async function refusalOf(refused: Promise<unknown>): Promise<StoredBytesExceeded> {
  const error = await refused.then(
    () => assert.fail('not refused'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof StoredBytesExceeded, String(error));
  return error;
}

function text(length: number, seed = 9): string {
  return String(seed % 10).repeat(length);
}
