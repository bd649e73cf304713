import assert from 'node:assert/strict';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { execute, storageTest } from '@appregistrar/testkit/storage/storage-test';
import { planOf } from '../../../test/storage/query-plan.ts';
import { sampleRows } from '../../../test/storage/sample-rows.ts';
import { listTransfersSince } from '../events/event-queries.ts';

const rows = 5_000;
const [event] = sampleRows.events;
assert.ok(event);

forEachEngine((engine) => {
  storageTest(engine, 'transfers are found among any number of other events', async (storage) => {
    await storage.write(async (transaction) => {
      await transaction.insertNew(
        'events',
        Array.from({ length: rows }, (_, at) => ({
          ...event,
          id: `event_${String(at).padStart(6, '0')}`,
          type: at % 1_000 === 0 ? 'app.transferred' : 'app.updated',
          occurred_at: at,
        })),
      );
      await execute(transaction, 'analyze');
    });
    assert.equal((await listTransfersSince(storage.reader, { since: 2_000 })).length, 3);
    assert.match(
      await planOf(storage, (connection) => listTransfersSince(connection, { since: 2_000 })),
      /events_of_transfer/,
    );
  });
});
