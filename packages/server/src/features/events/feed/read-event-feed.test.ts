import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { updateAppAsOperator } from '@appregistrar/testkit/calls/apps';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { importText } from '@appregistrar/testkit/registry/export-text';
import { assertRefused, rowsOf, validationErrorsOf } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { readEventFeed } from '../../../../test/calls/events.ts';
import { newId } from '../../../kernel/ids.ts';
import { commandLine } from '../../../kernel/registry.ts';
import { renewEpoch } from '../../../storage/kernel-queries.ts';
import { openRegistry } from '../../settings/settings.ts';
import { deleteEvents } from '../event-queries.ts';
import type { EventFeedPage } from '../event-query.ts';
import { findWaitingEvent } from './event-feed-queries.ts';
import { NewEvents } from './new-events.ts';

const dayMs = 86_400_000;

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let now: number;
  beforeEach(async () => {
    now = Date.now() - 30 * dayMs;
    fixture = await RegistryFixture.open(engine, { now: () => now });
  });
  afterEach(() => fixture.close());

  const read = async (query: object = {}, registry = fixture.registry): Promise<EventFeedPage> => {
    // The database server has transactions of its own, such as an ANALYZE, which hold events back for a moment.
    while (await findWaitingEvent(registry.storage)) await setImmediate();
    return readEventFeed(registry, query, { newEvents: new NewEvents(registry.storage), signal: AbortSignal.abort() });
  };
  const stored = async () => (await rowsOf(fixture.registry.storage, 'events')).map(({ id }) => id);
  const rename = (appId: string, name: string) =>
    updateAppAsOperator(fixture.registry, commandLine, { appId, update: { name } });

  /** All pages from a place on. */
  async function readAll(
    query: { cursor?: string; since?: string; type?: string[]; appId?: string; limit?: number } = {},
  ) {
    const ids: string[] = [];
    for (let cursor = query.cursor; ; ) {
      const { items, nextCursor } = await read({ ...query, ...(cursor !== undefined && { cursor }) });
      ids.push(...items.map(({ id }) => id));
      if (nextCursor === cursor) return { ids, cursor };
      cursor = nextCursor;
    }
  }

  test('following each cursor gives every event once, in the order of the changes', async () => {
    const app = await fixture.newApp({ status: 'APPROVED' });
    for (const name of ['One', 'Two', 'Three']) await rename(app.id, name);
    const { ids, cursor } = await readAll({ limit: 2 });
    assert.deepEqual(ids, await stored());
    assert.deepEqual(await read({ cursor }), { items: [], nextCursor: cursor });
    await rename(app.id, 'Four');
    const next = await readAll({ cursor });
    assert.deepEqual([...ids, ...next.ids], await stored());
  });

  test('a reader begins at the start, at a time, or with the next event', async () => {
    const app = await fixture.newApp();
    const before = await stored();
    now += dayMs;
    const since = new Date(now).toISOString();
    const fromNow = await read({ since: 'now' });
    assert.deepEqual(fromNow.items, []);
    await rename(app.id, 'Renamed');
    const [last = ''] = (await stored()).slice(-1);
    assert.deepEqual(
      (await read()).items.map(({ id }) => id),
      [...before, last],
    );
    for (const start of [{ since }, { cursor: fromNow.nextCursor }, { cursor: fromNow.nextCursor, since: 'now' }]) {
      assert.deepEqual((await readAll(start)).ids, [last], JSON.stringify(start));
    }
    const { nextCursor } = await read({ since: '2999-01-01T00:00:00.000Z' });
    await rename(app.id, 'Renamed again');
    assert.equal((await readAll({ cursor: nextCursor })).ids.length, 1);
  });

  test('an empty registry can be read from the start', async () => {
    await fixture.registry.storage.write(async (transaction) => deleteEvents(transaction, await stored()));
    for (const start of [{}, { since: 'now' }]) {
      const { nextCursor } = await read(start);
      await fixture.newApp();
      assert.equal((await readAll({ cursor: nextCursor })).ids.length, 1, JSON.stringify(start));
      await fixture.registry.storage.write(async (transaction) => deleteEvents(transaction, await stored()));
    }
  });

  test('an unknown type is refused by name, together with every other error', async () => {
    const refused = await assertRefused(
      fixture.registry,
      () => read({ type: ['app.approved', 'app.aproved'], appId: 'app' }),
      'invalid_content',
    );
    assert.deepEqual(validationErrorsOf(refused), ['appId invalid_format', 'type not_allowed']);
    assert.match(refused.errors?.[1]?.detail ?? '', /^No event has the type "app\.aproved"\./);
  });

  test('a filter lists the events of some types, of an app or of effective changes, and its cursor has passed the others', async () => {
    const app = await fixture.newApp({ status: 'APPROVED' });
    await rename(app.id, 'Renamed');
    const other = await fixture.newApp();
    const types = async (query: object) => (await read(query)).items.map(({ type }) => type);
    assert.deepEqual(await types({ type: ['app.approved', 'app.created'] }), [
      'app.created',
      'app.approved',
      'app.created',
    ]);
    assert.deepEqual(await types({ type: ['app.created'], limit: 1 }), ['app.created']);
    assert.deepEqual(await types({ appId: other.id }), ['app.created']);
    assert.deepEqual(await types({ effectiveOnly: true }), ['app.approved', 'app.updated']);
    const none = await read({ type: ['app.deleted'] });
    assert.deepEqual(none.items, []);
    assert.deepEqual((await readAll({ cursor: none.nextCursor })).ids, []);
  });

  test('a filter that matches few of many events is read in parts, each with a cursor to the next', async () => {
    const lines = Array.from({ length: 1_500 }, (_, at) => ({
      type: 'developer',
      userId: newId('user'),
      email: `${at}@example.com`,
    }));
    await importText(fixture.registry, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const app = await fixture.newApp();
    const first = await read({ appId: app.id });
    assert.deepEqual(first.items, []);
    const { items } = await read({ appId: app.id, cursor: first.nextCursor });
    assert.deepEqual(
      items.map(({ subjectId }) => subjectId),
      [app.id],
    );
    assert.equal((await readAll({ limit: 100 })).ids.length, (await stored()).length);
  });

  test('imported events are read after those before them', async () => {
    const { cursor } = await readAll();
    const createdAt = '2024-01-01T00:00:00.000Z';
    const line = { type: 'developer', userId: newId('user'), email: 'old@example.com', createdAt };
    await importText(fixture.registry, `${JSON.stringify(line)}\n`);
    assert.equal((await readAll({ cursor })).ids.length, 1);
  });

  test('an invalid cursor is refused, with a pointer to it', async () => {
    for (const cursor of ['yesterday', 'WzEsMiwzXQ', Buffer.from('[1,"00000000",0.5,""]').toString('base64url')]) {
      const refused = await assertRefused(fixture.registry, () => read({ cursor }), 'invalid_content');
      assert.deepEqual(validationErrorsOf(refused), ['cursor invalid_format'], cursor);
    }
    const refused = await assertRefused(fixture.registry, () => read({ since: 'yesterday' }), 'invalid_content');
    assert.deepEqual(validationErrorsOf(refused), ['since invalid_format']);
  });

  test('a cursor from before a restore is refused', async () => {
    const { nextCursor } = await read();
    const { storage } = fixture.registry;
    await storage.write((transaction) => renewEpoch(transaction, { epoch: crypto.randomUUID() }));
    const restored = await openRegistry(storage, fixture.registry);
    await assertRefused(fixture.registry, () => read({ cursor: nextCursor }, restored), 'cursor_expired');
    assert.deepEqual((await read({}, restored)).items, (await read()).items);
  });

  test('a cursor whose event the database has lost is refused, and an earlier one is not', async () => {
    const app = await fixture.newApp();
    const before = await readAll();
    await rename(app.id, 'Lost');
    const lost = await readAll();
    const [lostId = ''] = lost.ids.slice(-1);
    await fixture.registry.storage.write((transaction) => deleteEvents(transaction, [lostId]));
    await rename(app.id, 'Made instead');
    const refused = await assertRefused(fixture.registry, () => read({ cursor: lost.cursor }), 'cursor_expired');
    assert.match(refused.message, /lost.*Read again from an earlier time/);
    assert.equal((await readAll({ cursor: before.cursor })).ids.length, 1);
  });
});
