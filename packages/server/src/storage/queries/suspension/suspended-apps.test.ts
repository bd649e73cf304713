import assert from 'node:assert/strict';
import { forEachEngine } from 'app-registry-testkit/engines/engines';
import { planOf } from '../../testing/query-plan.ts';
import { developerRow, sampleRows } from '../../testing/sample-rows.ts';
import { execute, storageTest } from '../../testing/storage-test.ts';
import { listSuspendedDevelopers, listTransfersSince } from './suspended-apps.ts';

const rows = 5_000;
const [event] = sampleRows.events;
assert.ok(event);

forEachEngine((engine) => {
  storageTest(engine, 'suspended developers and transfers are found among any number of others', async (storage) => {
    await storage.write(async (transaction) => {
      await transaction.insertNew(
        'developers',
        Array.from({ length: rows }, (_, at) =>
          developerRow({ user_id: `user_${at}`, suspended_at: at % 1_000 === 0 ? at : null }),
        ),
      );
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
    const { reader } = storage;
    assert.equal((await listSuspendedDevelopers(reader, { userId: '', limit: 10 })).length, 5);
    assert.equal((await listTransfersSince(reader, { since: 2_000 })).length, 3);
    const developers = await planOf(storage, (connection) =>
      listSuspendedDevelopers(connection, { userId: '', limit: 10 }),
    );
    assert.match(developers, /developers_suspended/);
    assert.match(
      await planOf(storage, (connection) => listTransfersSince(connection, { since: 2_000 })),
      /events_of_transfer/,
    );
  });
});
