import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { feedStart, type Storage, watchStorage } from '../../../storage/storage.ts';
import { findFeedEnd } from './event-feed-queries.ts';
import { NewEvents } from './new-events.ts';

const never = 2 ** 30;
const { signal } = new AbortController();

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let queries: number;
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

  const end = async () => (await findFeedEnd(fixture.registry.storage)) ?? assert.fail();

  test('a commit of the process ends a wait at once, long before the next poll', async () => {
    const watched = watchStorage(fixture.registry.storage, 'deliveries', ['queue']);
    const newEvents = new NewEvents(watched, never);
    fixture.registry.storage = watched;
    const waiting = newEvents.wait(await end(), { ms: never, signal });
    await fixture.newApp();
    await waiting;
    assert.equal(newEvents.waiting, 0);
  });

  test('an event that already exists ends a wait', async () => {
    await new NewEvents(storage, never).wait(feedStart, { ms: never, signal });
  });

  test('one query finds the events of other processes for all that wait, and no query is made when none waits', async () => {
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

  test('a wait ends when its time is over, with its signal, and when all waits are ended', async () => {
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
