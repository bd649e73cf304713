import assert from 'node:assert/strict';
import { forEachEngine, postgres } from '@appregistrar/testkit/engines/engines';
import { execute, storageTest } from '@appregistrar/testkit/storage/storage-test';
import { assertOrderedBy } from '../../../../test/storage/query-plan.ts';
import { sampleRows } from '../../../../test/storage/sample-rows.ts';
import { renumberFeed } from '../../../storage/kernel-queries.ts';
import type { Connection } from '../../../storage/query.ts';
import { requireStoredSchema } from '../../../storage/schema.ts';
import type { Storage } from '../../../storage/storage.ts';
import { findFeedEnd, findWaitingEvent, scanFeed } from './event-feed-queries.ts';

const count = 5_000;
const idOf = (at: number) => `event_${String(at).padStart(6, '0')}`;

async function fill(storage: Storage): Promise<void> {
  const [event] = sampleRows.events;
  assert.ok(event);
  for (let part = 0; part < count; part += count / 10) {
    const rows = Array.from({ length: count / 10 }, (_, at) => ({ ...event, id: idOf(part + at) }));
    await storage.write((transaction) => transaction.insertNew('events', rows));
  }
  await storage.write((transaction) => execute(transaction, 'analyze'));
}

/** The feed as another connection reads it. */
const on = (reader: Connection, { feedOrder }: Storage) => ({ reader, feedOrder });

forEachEngine((engine) => {
  storageTest(
    engine,
    'every query of the feed reads an index in its order, and no more than it returns',
    async (storage) => {
      await fill(storage);
      const index = storage.engine === 'postgres' ? 'events_feed' : '(covering index )?sqlite_autoindex_events_1';
      const { position = 0 } = (await findFeedEnd(storage)) ?? {};
      for (const after of [
        { position: 0, id: '' },
        { position, id: idOf(count - 100) },
      ]) {
        for (const filter of [{}, { types: ['app.created'], appId: 'app_1' }]) {
          const scan = (reader: Connection) => scanFeed(on(reader, storage), { after, filter, rowsMax: 20 });
          await assertOrderedBy(storage, scan, { index, rowsMax: 20 });
        }
      }
      await assertOrderedBy(storage, (reader) => findFeedEnd(on(reader, storage)), { index, rowsMax: 2 });
      if (storage.engine === 'sqlite') return;
      await assertOrderedBy(storage, (reader) => findWaitingEvent(on(reader, storage)), { index, rowsMax: 1 });
    },
  );

  storageTest(engine, 'a feed with positions of this server is not renumbered', async (storage) => {
    await fill(storage);
    assert.equal(await renumberFeed(storage), false);
  });
});

storageTest(
  postgres,
  'positions of another server are moved to the start of the feed, even by concurrent processes',
  async (storage) => {
    await fill(storage);
    const positions = () => execute<{ position: number }>(storage.reader, 'select distinct position from events');
    // As a dump has them that comes from a server of many transactions.
    await storage.write((transaction) =>
      execute(transaction, `update events set position = position + 1000000000 where id > '${idOf(9)}'`),
    );
    const [one, other] = await Promise.all([renumberFeed(storage), renumberFeed(storage)]);
    assert.deepEqual([one, other].toSorted(), [false, true]);
    assert.deepEqual(await positions(), [{ position: 0 }]);
    await requireStoredSchema(storage);
    const [event] = sampleRows.events;
    await storage.write((transaction) => transaction.insertNew('events', [{ ...event, id: 'event_0' } as never]));
    const [added] = await execute<{ position: number }>(
      storage.reader,
      "select position from events where id = 'event_0'",
    );
    assert.ok(added && added.position > 0);
    const [first] = await scanFeed(storage, { after: { position: 0, id: '' }, filter: {}, rowsMax: 1 });
    assert.equal(first?.id, idOf(0));
  },
);
