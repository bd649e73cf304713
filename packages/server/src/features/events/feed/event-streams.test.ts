import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import type { StreamedPage } from '../../../kernel/event-waits.ts';
import type { Registry } from '../../../kernel/registry.ts';
import type { EventSummary } from '../event.ts';
import { EventStreams } from './event-streams.ts';
import { NewEvents } from './new-events.ts';

type Page = StreamedPage<EventSummary>;

const never = 2 ** 30;
const reader = { signal: new AbortController().signal, reauthorize: async () => {} };

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let queries: number;
  let newEvents: NewEvents;
  let streams: EventStreams;
  beforeEach(async () => {
    fixture = await RegistryFixture.open(engine);
    queries = 0;
    const { registry } = fixture;
    const { storage } = registry;
    const counting = Object.assign(Object.create(storage.reader), {
      rows: (statement: never) => {
        queries += 1;
        return storage.reader.rows(statement);
      },
    });
    const counted: Registry = { ...registry, storage: Object.assign(Object.create(storage), { reader: counting }) };
    newEvents = new NewEvents(counted.storage, 100);
    streams = new EventStreams(counted, { newEvents, heartbeatMs: never });
  });
  afterEach(() => fixture.close());

  /** The next page of a stream that has events. */
  async function nextOf(stream: AsyncGenerator<Page, void, void>): Promise<Page> {
    for await (const page of { [Symbol.asyncIterator]: () => ({ next: () => stream.next() }) }) {
      if (page.items.length > 0) return page;
    }
    return assert.fail('the stream has ended');
  }

  test('all streams at the same position share their queries', async () => {
    const { id } = await fixture.newApp();
    const opened = Array.from({ length: 40 }, async () =>
      streams.follow(await streams.begin({ after: 'start' }), reader),
    );
    const all = await Promise.all(opened);
    const first = await Promise.all(all.map(nextOf));
    assert.ok(queries < all.length, `${queries} queries for ${all.length} streams`);
    assert.equal(first[0]?.items.at(-1)?.event.subjectId, id);
    assert.equal(streams.open, all.length);

    const before = queries;
    const next = Promise.all(all.map(nextOf));
    const { id: nextId } = await fixture.newApp();
    for (const { items } of await next) {
      assert.deepEqual([items.length, items[0]?.event.subjectId], [1, nextId]);
    }
    assert.ok(queries - before < all.length, `${queries - before} queries for ${all.length} streams`);
    await Promise.all(all.map((stream) => stream.return()));
    assert.equal(streams.open, 0);
  });

  test('a long history is streamed page by page, and each event has the cursor that leads on after it', async () => {
    for (let created = 0; created < 60; created += 1) await fixture.newApp({ status: 'AWAITING_REVIEW' });
    const seen: { id: string; cursor: string }[] = [];
    const stream = streams.follow(await streams.begin({ after: 'start' }), reader);
    while (seen.length < 120) {
      const { items } = await nextOf(stream);
      assert.ok(items.length <= 100);
      seen.push(...items.map(({ event, cursor }) => ({ id: event.id, cursor })));
    }
    await stream.return();
    for (const at of [0, 50, 99, 100]) {
      const { items } = await streams.begin({ after: seen[at]?.cursor });
      assert.equal(items[0]?.event.id, seen[at + 1]?.id);
    }
  });

  test('a stream without events sends heartbeats', async () => {
    const silent = new EventStreams(fixture.registry, { newEvents, heartbeatMs: 1 });
    const first = await silent.begin({});
    const stream = silent.follow(first, reader);
    for (let heartbeats = 0; heartbeats < 3; heartbeats += 1) {
      const { value } = await stream.next();
      assert.deepEqual([value?.items, value?.nextCursor], [[], first.nextCursor]);
    }
    newEvents.stop();
    assert.equal((await stream.next()).done, true);
  });

  test('events already read are not sent once the reader has lost access', async () => {
    const refusal = new Error('revoked');
    const stream = streams.follow(await streams.begin({}), { ...reader, reauthorize: () => Promise.reject(refusal) });
    await stream.next();
    await fixture.newApp();
    await assert.rejects(stream.next(), refusal);
    assert.equal(streams.open, 0);
  });
});
