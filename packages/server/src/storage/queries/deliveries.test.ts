import assert from 'node:assert/strict';
import { forEachEngine } from 'app-registry-testkit/engines/engines';
import type { Storage } from '../storage.ts';
import type { DeliveryRow, WebhookRow } from '../tables.ts';
import { sampleRows } from '../testing/sample-rows.ts';
import { storageTest } from '../testing/storage-test.ts';
import { findNextDelivery, listQueueHeads } from './deliveries.ts';

const [webhook] = sampleRows.webhooks;
const [event] = sampleRows.events;
const [delivery] = sampleRows.deliveries;

/** Inserts deliveries of the first webhook, each given as `queue state`. */
async function queue(storage: Storage, ...deliveries: string[]): Promise<void> {
  await storage.write(async (transaction) => {
    await transaction.insertNew('webhooks', [{ ...(webhook as WebhookRow), lease_holder: 'process' }]);
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
    const next = (queue: string, holder = 'process') =>
      findNextDelivery(storage.reader, { webhookId: 'webhook_1', queue, holder }).then((row) => row?.id);
    assert.equal(await next('b'), 'delivery_998');
    assert.equal(await next('c'), undefined);
    assert.equal(await next('b', 'another process'), undefined);
  });
});
