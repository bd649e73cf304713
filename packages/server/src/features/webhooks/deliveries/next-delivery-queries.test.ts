import assert from 'node:assert/strict';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { execute, storageTest } from '@appregistrar/testkit/storage/storage-test';
import { planOf } from '../../../../test/storage/query-plan.ts';
import { sampleRows } from '../../../../test/storage/sample-rows.ts';
import type { Connection } from '../../../storage/query.ts';
import type { Storage } from '../../../storage/storage.ts';
import type { DeliveryRow, WebhookRow } from '../../../storage/tables.ts';
import { listFirstPending, listPendingOf, listQueueHeads } from './next-delivery-queries.ts';
import { insertProcess, takeShards } from './webhook-lease-queries.ts';

const [webhook] = sampleRows.webhooks;
const [event] = sampleRows.events;
const [delivery] = sampleRows.deliveries;
const serving = { webhookId: 'webhook_1', holder: 'process' };
const shard = 3;

/** A webhook, of which the process serves one shard, and an event. */
async function prepare(storage: Storage): Promise<void> {
  await storage.write(async (transaction) => {
    await transaction.insertNew('webhooks', [webhook as WebhookRow]);
    await insertProcess(transaction, { id: 'process', beat: 0, without_key: '' });
    await takeShards(transaction, { ...serving, shards: [shard] });
    await transaction.insertNew('events', [event] as never);
  });
}

async function insert(transaction: Connection, deliveries: Partial<DeliveryRow>[]): Promise<void> {
  await transaction.insertAll(
    'deliveries',
    deliveries.map((row) => ({ ...(delivery as DeliveryRow), ...row })),
  );
}

const deliveriesCount = 5_000;
const finishedCount = 4_000;
/** Each of 64 heads once in the index and once in the table, and what the index still has of earlier versions. */
const rowsMax = 200;
const queueOf = (at: number) => `app_${at % 100}`;

/** A burst of events, most of them delivered: those that are pending are the last of the table. */
function storeBurst(transaction: Connection): Promise<void> {
  const rows = Array.from({ length: deliveriesCount }, (_, at) => {
    const isFinished = at < finishedCount;
    const outcome = isFinished ? { state: 'delivered', finished_at: 1 } : { state: 'pending', finished_at: null };
    return { id: `delivery_${at}`, queue: queueOf(at), ...outcome } as DeliveryRow;
  });
  return insert(transaction, rows);
}

const many = Array.from({ length: 64 }, (_, at) => ({ queue: queueOf(at), shard }));
const reads: Record<string, (connection: Connection) => Promise<unknown[]>> = {
  'the first of many queues': (connection) => listFirstPending(connection, { ...serving, queues: many }),
  'the first of few queues': (connection) => listFirstPending(connection, { ...serving, queues: many.slice(0, 4) }),
  'a batch of a queue': (connection) => listPendingOf(connection, { ...serving, queue: queueOf(5), shard }),
};

const store = 'store the burst';
const allPending = `update deliveries set state = 'pending'`;

/** What an engine may know of the table when it plans: the steps that lead to it. */
const statistics: Record<string, string[]> = {
  none: [store],
  'of this burst': [store, 'analyze'],
  'of an earlier burst that was all pending': [
    ...[store, allPending, 'analyze'],
    `update deliveries set state = 'delivered' where finished_at is not null`,
  ],
  'of an earlier burst in one queue': [
    ...[store, `${allPending}, queue = 'app_5'`, 'analyze'],
    ...['delete from deliveries', store],
  ],
  'of the empty table': ['analyze', store],
};

/** Rows of the table that a read fetches, also those that it discards. */
function rowsRead(storage: Storage, mode: string, read: (typeof reads)[string]): Promise<number> {
  return storage.write(async (transaction) => {
    await execute(transaction, `select set_config('plan_cache_mode', '${mode}', true)`);
    const counted = async () => {
      const [row] = await execute(
        transaction,
        `select seq_tup_read + coalesce(idx_tup_fetch, 0) as rows from pg_stat_xact_user_tables where relname = 'deliveries'`,
      );
      return Number(row?.rows);
    };
    const before = await counted();
    assert.ok((await read(transaction)).length > 0);
    return (await counted()) - before;
  });
}

forEachEngine((engine) => {
  storageTest(engine, 'the head of each queue is its first pending delivery', async (storage) => {
    await prepare(storage);
    const states = ['b delivered', 'a pending', 'b pending', 'a pending', 'c failed', 'b pending', 'd pending'];
    const queued = states.map((text, at) => {
      const [queue, state] = text.split(' ');
      // Ids descend, so that only the insertion order determines the order.
      return { id: `delivery_${1_000 - at}`, queue, state } as DeliveryRow;
    });
    await storage.write((transaction) => insert(transaction, queued));
    const heads = async (after: string, limit: number) =>
      (await listQueueHeads(storage.reader, { webhookId: 'webhook_1', after, limit })).map(
        ({ queue, id }) => `${queue} ${id}`,
      );
    assert.deepEqual(await heads('', 10), ['a delivery_999', 'b delivery_998', 'd delivery_994']);
    assert.deepEqual(await heads('', 2), ['a delivery_999', 'b delivery_998']);
    assert.deepEqual(await heads('b', 2), ['d delivery_994']);
    assert.deepEqual(await heads('d', 2), []);

    const [a, b, c] = [
      { queue: 'a', shard },
      { queue: 'b', shard },
      { queue: 'c', shard },
    ] as const;
    const firstOf = async (queues: { queue: string; shard: number }[], given: object = {}) =>
      (await listFirstPending(storage.reader, { ...serving, queues, ...given })).map(({ id }) => id).toSorted();
    const pendingOf = async (given: object = {}) =>
      (await listPendingOf(storage.reader, { ...serving, ...b, ...given })).map(({ id }) => id);
    assert.deepEqual(await firstOf([a, b, c]), ['delivery_998', 'delivery_999']);
    assert.deepEqual(await firstOf([a, { ...b, shard: 4 }]), ['delivery_999']);
    const others = Array.from({ length: 60 }, (_, at) => ({ queue: `none_${at}`, shard }));
    assert.deepEqual(await firstOf([...others, b]), ['delivery_998']);
    assert.deepEqual(await pendingOf(), ['delivery_998', 'delivery_995']);
    const notServed = { holder: 'another process' };
    assert.deepEqual([await firstOf([b], notServed), await pendingOf(notServed)], [[], []]);
    assert.deepEqual(await pendingOf({ shard: 4 }), []);
  });

  for (const [which, steps] of Object.entries(statistics)) {
    storageTest(engine, `pending deliveries are read by their index, with statistics ${which}`, async (storage) => {
      await prepare(storage);
      await storage.write(async (transaction) => {
        for (const step of steps) await (step === store ? storeBurst(transaction) : execute(transaction, step));
      });
      for (const [what, read] of Object.entries(reads)) {
        if (storage.engine === 'sqlite') {
          const search = /deliveries_pending \(webhook_id=\? AND queue>\? AND queue<\?\)/;
          assert.match(await planOf(storage, read), search, what);
          continue;
        }
        for (const mode of ['force_custom_plan', 'force_generic_plan']) {
          const rows = await rowsRead(storage, mode, read);
          assert.ok(rows <= rowsMax, `${what}, ${mode}: ${rows} rows`);
        }
      }
    });
  }
});
