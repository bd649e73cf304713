import assert from 'node:assert/strict';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { storageTest } from '@appregistrar/testkit/storage/storage-test';
import { sampleRows } from '../../../../test/storage/sample-rows.ts';
import type { Storage } from '../../../storage/storage.ts';
import type { DeliveryRow, WebhookRow } from '../../../storage/tables.ts';
import { listFirstPending, listPendingOf, listQueueHeads, type ServedQueue } from './next-delivery-queries.ts';
import { insertProcess, takeShards } from './webhook-lease-queries.ts';

const [webhook] = sampleRows.webhooks;
const [event] = sampleRows.events;
const [delivery] = sampleRows.deliveries;

/** Inserts deliveries of the first webhook, each given as `queue state`. */
async function queue(storage: Storage, ...deliveries: string[]): Promise<void> {
  await storage.write(async (transaction) => {
    await transaction.insertNew('webhooks', [webhook as WebhookRow]);
    await insertProcess(transaction, { id: 'process', beat: 0, without_key: '' });
    await takeShards(transaction, { webhookId: 'webhook_1', holder: 'process', shards: [3] });
    await transaction.insertNew('events', [event] as never);
    await transaction.insertNew(
      'deliveries',
      deliveries.map((text, at) => {
        const [name, state] = text.split(' ');
        // Ids descend, so that only the insertion order determines the order.
        return { ...delivery, id: `delivery_${1_000 - at}`, queue: name, state } as DeliveryRow;
      }),
    );
  });
}

forEachEngine((engine) => {
  storageTest(engine, 'the head of each queue is its first pending delivery', async (storage) => {
    await queue(storage, 'b delivered', 'a pending', 'b pending', 'a pending', 'c failed', 'b pending', 'd pending');
    const heads = (after: string, limit: number) =>
      listQueueHeads(storage.reader, { webhookId: 'webhook_1', after, limit }).then((rows) =>
        rows.map((row) => `${row.queue} ${row.id}`),
      );
    assert.deepEqual(await heads('', 10), ['a delivery_999', 'b delivery_998', 'd delivery_994']);
    assert.deepEqual(await heads('', 2), ['a delivery_999', 'b delivery_998']);
    assert.deepEqual(await heads('b', 2), ['d delivery_994']);
    assert.deepEqual(await heads('d', 2), []);
    const serving = { webhookId: 'webhook_1', holder: 'process' };
    const firstOf = async (...queues: { queue: string; shard: number }[]) =>
      (await listFirstPending(storage.reader, { ...serving, queues })).map(({ id }) => id).toSorted();
    const [a, b, c] = ['a', 'b', 'c'].map((queue) => ({ queue, shard: 3 })) as [ServedQueue, ServedQueue, ServedQueue];
    assert.deepEqual(await firstOf(a, b, c), ['delivery_998', 'delivery_999']);
    assert.deepEqual(await firstOf(a, { ...b, shard: 4 }), ['delivery_999']);
    const many = Array.from({ length: 60 }, (_, at) => ({ queue: `none_${at}`, shard: 3 }));
    assert.deepEqual(await firstOf(...many, b), ['delivery_998']);
    assert.deepEqual(
      await listFirstPending(storage.reader, { ...serving, holder: 'another process', queues: [b] }),
      [],
    );
    const pendingOf = async (given: object) =>
      (await listPendingOf(storage.reader, { ...serving, ...b, ...given })).map(({ id }) => id);
    assert.deepEqual(await pendingOf({}), ['delivery_998', 'delivery_995']);
    for (const other of [{ shard: 4 }, { holder: 'another process' }]) assert.deepEqual(await pendingOf(other), []);
  });
});
