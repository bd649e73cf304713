import assert from 'node:assert/strict';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { execute, filledStorage } from '@appregistrar/testkit/storage/storage-test';
import { assertBounded, assertOrderedBy, planOf } from '../../../test/storage/query-plan.ts';
import { appRow, developerRow, sampleRows } from '../../../test/storage/sample-rows.ts';
import type { Connection } from '../../storage/query.ts';
import type { Storage } from '../../storage/storage.ts';
import {
  countAppsOfDeveloper,
  countDecisions,
  countSuspensions,
  findFirstApp,
  listNewestAppIds,
} from './developer-queries.ts';

const count = 6_000;
const numbers = Array.from({ length: count }, (_, at) => at);
const idOf = (at: number) => `app_${String(at).padStart(6, '0')}`;
/** Has half of the apps, which are the latest. */
const developerId = 'user_2';
const limit = 100;
const index = ['developer_id', 'review_status', 'changed_since_approval', 'id'];

async function fill(storage: Storage): Promise<void> {
  const [decision] = sampleRows.decisions;
  const [event] = sampleRows.events;
  assert.ok(decision && event);
  const isHalf = (at: number) => at >= count / 2;
  await storage.write(async (transaction) => {
    await transaction.insertNew('developers', [developerRow(), developerRow({ user_id: developerId })]);
    await transaction.insertNew(
      'apps',
      numbers.map((at) =>
        appRow({
          id: idOf(at),
          name_key: idOf(at),
          developer_id: isHalf(at) ? developerId : 'user_1',
          review_status: at % 2 ? 'APPROVED' : 'REJECTED',
          created_at: at,
        }),
      ),
    );
    await transaction.insertNew(
      'decisions',
      numbers.map((at) => ({ ...decision, event_id: idOf(at), app_id: idOf(at), content: 'x'.repeat(400) })),
    );
    await transaction.insertNew(
      'events',
      numbers.map((at) => ({
        ...event,
        id: `event_${String(at).padStart(6, '0')}`,
        type: at % 1_000 === 0 ? 'developer.suspended' : 'developer.updated',
        subject_id: isHalf(at) ? developerId : 'user_1',
      })),
    );
  });
  await storage.write((transaction) => execute(transaction, 'analyze'));
}

forEachEngine((engine) => {
  const onStorage = filledStorage(engine, fill);

  onStorage('the apps of a developer are counted and found by their index, up to a limit', async (storage) => {
    const counted = await countAppsOfDeveloper(storage.reader, { developerId, limit });
    assert.deepEqual({ ...counted }, { DRAFT: 0, AWAITING_REVIEW: 0, APPROVED: limit, REJECTED: limit, deleted: 0 });
    const works: [(connection: Connection) => Promise<unknown>, rowsMax: number][] = [
      [(connection) => countAppsOfDeveloper(connection, { developerId, limit }), 3 * limit],
      [(connection) => findFirstApp(connection, { developerId }), 16],
      [(connection) => listNewestAppIds(connection, { developerId, limit }), 5 * limit],
    ];
    for (const [work, rowsMax] of works) {
      if (storage.engine === 'postgres') await assertBounded(storage, work, { columns: index, rowsMax });
      else assert.doesNotMatch(await planOf(storage, work), /SCAN (apps|deleted_apps)|\(developer_id=\?\)/);
    }
    assert.equal((await findFirstApp(storage.reader, { developerId }))?.created_at, count / 2);
    const newest = await listNewestAppIds(storage.reader, { developerId, limit: 2 });
    assert.deepEqual(newest, [idOf(count - 1), idOf(count - 2)]);
  });

  onStorage('decisions and suspensions are counted by their indexes', async (storage) => {
    const decisions = (connection: Connection) => countDecisions(connection, { appIds: [idOf(1), idOf(2)], limit });
    const plan = await planOf(storage, decisions);
    assert.match(plan, /decisions_of_app/, plan);
    assert.deepEqual(
      (await decisions(storage.reader)).map((row) => ({ ...row })),
      [{ step: 'approve', count: 2, last: sampleRows.decisions[0]?.decided_at }],
    );
    const suspensions = (connection: Connection) => countSuspensions(connection, { developerId, limit });
    await assertOrderedBy(storage, suspensions, { index: 'events_of_suspension', rowsMax: 10 });
    assert.equal((await suspensions(storage.reader))?.suspensions, 3);
  });
});
