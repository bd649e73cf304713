import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import type { StreamedPage } from '../../../kernel/event-waits.ts';
import type { Registry } from '../../../kernel/registry.ts';
import { feedStart, type Storage, watchStorage } from '../../../storage/storage.ts';
import type { EventSummary } from '../event.ts';
import { findFeedEnd } from './event-feed-queries.ts';
import { EventStreams } from './event-streams.ts';
import { NewEvents } from './new-events.ts';

type Page = StreamedPage<EventSummary>;

const never = 2 ** 30;
/** Before every event. */
const start = '2020-01-01T00:00:00.000Z';
const { signal } = new AbortController();
const reader = { signal, reauthorize: async () => {} };

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let queries: number;
  /** That of the fixture, whose queries are counted. */
  let storage: Storage;
  beforeEach(async () => {
    fixture = await RegistryFixture.open(engine);
    queries = 0;
    const { reader } = fixture.registry.storage;
    const counting = Object.assign(Object.create(reader), {
      rows: (statement: never) => {
        queries += 1;
        return reader.rows(statement);
      },
    });
    storage = Object.assign(Object.create(fixture.registry.storage), { reader: counting });
  });
  afterEach(() => fixture.close());

  describe('a wait', () => {
    const end = async () => (await findFeedEnd(fixture.registry.storage)) ?? assert.fail();

    test('ends with a commit of its own process, long before the next poll', async () => {
      const watched = watchStorage(fixture.registry.storage, 'deliveries', ['queue']);
      const newEvents = new NewEvents(watched, never);
      fixture.registry.storage = watched;
      const waiting = newEvents.wait(await end(), { ms: never, signal });
      await fixture.newApp();
      await waiting;
      assert.equal(newEvents.waiting, 0);
    });

    test('ends with an event that already exists', async () => {
      await new NewEvents(storage, never).wait(feedStart, { ms: never, signal });
    });

    test('shares one query for the events of other processes with all others, and none is made when none waits', async () => {
      const newEvents = new NewEvents(storage, 1);
      const place = await end();
      const waits = Array.from({ length: 100 }, () => newEvents.wait(place, { ms: never, signal }));
      assert.equal(queries, 1);
      await fixture.newApp();
      await Promise.all(waits);
      const polls = queries;
      // In the time of several polls.
      for (let created = 0; created < 3; created += 1) await fixture.newApp();
      assert.ok(queries <= polls + 1, `${queries - polls} queries`);
    });

    test('ends when its time is over, with its signal, and when all waits are ended', async () => {
      const newEvents = new NewEvents(storage, never);
      const place = await end();
      await newEvents.wait(place, { ms: 1, signal });
      await newEvents.wait(place, { ms: never, signal: AbortSignal.abort() });
      const leaving = new AbortController();
      const left = newEvents.wait(place, { ms: never, signal: leaving.signal });
      leaving.abort();
      await left;
      const ended = newEvents.wait(place, { ms: never, signal });
      newEvents.stop();
      await ended;
      await newEvents.wait(place, { ms: never, signal });
    });
  });

  describe('a stream', () => {
    let newEvents: NewEvents;
    let streams: EventStreams;
    const streamsWith = (heartbeatMs: number) => {
      const registry: Registry = { ...fixture.registry, storage };
      return new EventStreams(registry, { newEvents, heartbeatMs });
    };
    beforeEach(() => {
      newEvents = new NewEvents(storage, 100);
      streams = streamsWith(never);
    });

    /** The next page of a stream that has events. */
    async function nextOf(stream: AsyncGenerator<Page, void, void>): Promise<Page> {
      for (;;) {
        const { value = assert.fail('the stream has ended') } = await stream.next();
        if (value.items.length > 0) return value;
      }
    }

    test('shares its queries with all others at the same position', async () => {
      const { id } = await fixture.newApp();
      const opened = Array.from({ length: 40 }, async () =>
        streams.follow(await streams.begin({ since: start }), reader),
      );
      const all = await Promise.all(opened);
      const [first] = await Promise.all(all.map(nextOf));
      assert.ok(queries < all.length, `${queries} queries for ${all.length} streams`);
      assert.equal(first?.items.at(-1)?.event.subjectId, id);
      assert.equal(streams.open, all.length);

      queries = 0;
      const next = Promise.all(all.map(nextOf));
      const { id: nextId } = await fixture.newApp();
      for (const { items } of await next) {
        assert.deepEqual([items.length, items[0]?.event.subjectId], [1, nextId]);
      }
      assert.ok(queries < all.length, `${queries} queries for ${all.length} streams`);
      await Promise.all(all.map((stream) => stream.return()));
      assert.equal(streams.open, 0);
    });

    test('has a long history page by page, and each event has the cursor that leads on after it', async () => {
      for (let created = 0; created < 60; created += 1) await fixture.newApp({ status: 'AWAITING_REVIEW' });
      const seen: Page['items'] = [];
      const stream = streams.follow(await streams.begin({ since: start }), reader);
      while (seen.length < 120) {
        const { items } = await nextOf(stream);
        assert.ok(items.length <= 100);
        seen.push(...items);
      }
      await stream.return();
      for (const at of [0, 50, 99, 100]) {
        const { items } = await streams.begin({ cursor: seen[at]?.cursor });
        assert.equal(items[0]?.event.id, seen[at + 1]?.event.id);
      }
    });

    test('sends heartbeats while there are no events', async () => {
      const silent = streamsWith(1);
      const first = await silent.begin({});
      const stream = silent.follow(first, reader);
      for (let heartbeats = 0; heartbeats < 3; heartbeats += 1) {
        const { value } = await stream.next();
        assert.deepEqual([value?.items, value?.nextCursor], [[], first.nextCursor]);
      }
      newEvents.stop();
      assert.equal((await stream.next()).done, true);
    });

    test('does not send events that were read before its reader lost access', async () => {
      const refusal = new Error('revoked');
      const stream = streams.follow(await streams.begin({}), { ...reader, reauthorize: () => Promise.reject(refusal) });
      await stream.next();
      await fixture.newApp();
      await assert.rejects(stream.next(), refusal);
      assert.equal(streams.open, 0);
    });
  });
});
