import assert from 'node:assert/strict';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { execute, storageTest } from '@appregistrar/testkit/storage/storage-test';
import { planOf } from '../../../../test/storage/query-plan.ts';
import { sampleRows } from '../../../../test/storage/sample-rows.ts';
import type { Connection } from '../../../storage/query.ts';
import type { Storage } from '../../../storage/storage.ts';
import type { DeliveryRow, WebhookRow } from '../../../storage/tables.ts';
import { listFirstPending, listPendingOf } from './next-delivery-queries.ts';
import { insertProcess, takeShards } from './webhook-lease-queries.ts';

const [webhook] = sampleRows.webhooks;
const [event] = sampleRows.events;
const [delivery] = sampleRows.deliveries;
const deliveriesCount = 5_000;
const finishedCount = 4_000;
/** Each of 64 heads once in the index and once in the table, and what the index still has of earlier versions. */
const rowsMax = 200;
const queueOf = (at: number) => `app_${at % 100}`;

/** A burst of events, most of them delivered: those that are pending are the last of the table. */
async function storeBurst(transaction: Connection): Promise<void> {
  const rows = Array.from({ length: deliveriesCount }, (_, at) => ({
    ...(delivery as DeliveryRow),
    id: `delivery_${at}`,
    queue: queueOf(at),
    state: at < finishedCount ? ('delivered' as const) : ('pending' as const),
    finished_at: at < finishedCount ? 1 : null,
  }));
  await transaction.insertNew('deliveries', rows);
}

async function prepare(storage: Storage): Promise<void> {
  await storage.write(async (transaction) => {
    await transaction.insertNew('webhooks', [webhook as WebhookRow]);
    await insertProcess(transaction, { id: 'process', beat: 0, without_key: '' });
    await takeShards(transaction, { webhookId: 'webhook_1', holder: 'process', shards: [3] });
    await transaction.insertNew('events', [event] as never);
  });
}

const serving = { webhookId: 'webhook_1', holder: 'process' };
const many = Array.from({ length: 64 }, (_, at) => ({ queue: queueOf(at), shard: 3 }));
const reads: Record<string, (connection: Connection) => Promise<unknown[]>> = {
  'the first of many queues': (connection) => listFirstPending(connection, { ...serving, queues: many }),
  'the first of few queues': (connection) => listFirstPending(connection, { ...serving, queues: many.slice(0, 4) }),
  'a batch of a queue': (connection) => listPendingOf(connection, { ...serving, queue: queueOf(5), shard: 3 }),
};

/** What an engine may know of the table when it plans. */
const statistics: Record<string, (transaction: Connection) => Promise<unknown>> = {
  none: storeBurst,
  'of this burst': async (transaction) => {
    await storeBurst(transaction);
    await execute(transaction, 'analyze');
  },
  'of an earlier burst that was all pending': async (transaction) => {
    await storeBurst(transaction);
    await execute(transaction, `update deliveries set state = 'pending'`);
    await execute(transaction, 'analyze');
    await execute(transaction, `update deliveries set state = 'delivered' where finished_at is not null`);
  },
  'of an earlier burst in one queue': async (transaction) => {
    await storeBurst(transaction);
    await execute(transaction, `update deliveries set state = 'pending', queue = 'app_5'`);
    await execute(transaction, 'analyze');
    await execute(transaction, 'delete from deliveries');
    await storeBurst(transaction);
  },
  'of the empty table': async (transaction) => {
    await execute(transaction, 'analyze');
    await storeBurst(transaction);
  },
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
  for (const [which, fill] of Object.entries(statistics)) {
    storageTest(engine, `pending deliveries are read by their index, with statistics ${which}`, async (storage) => {
      await prepare(storage);
      await storage.write(fill);
      for (const [what, read] of Object.entries(reads)) {
        if (storage.engine === 'sqlite') {
          assert.match(
            await planOf(storage, read),
            /deliveries_pending \(webhook_id=\? AND queue>\? AND queue<\?\)/,
            what,
          );
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
