import assert from 'node:assert/strict';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { execute, filledStorage } from '@appregistrar/testkit/storage/storage-test';
import { assertBounded, assertOrderedBy, planOf } from '../../../test/storage/query-plan.ts';
import { appRow, developerRow, sampleRows } from '../../../test/storage/sample-rows.ts';
import type { Connection } from '../../storage/query.ts';
import type { Storage } from '../../storage/storage.ts';
import { countSuspensions, findFirstApp, listDeveloperHistories } from './developer-queries.ts';

const count = 6_000;
const numbers = Array.from({ length: count }, (_, at) => at);
const idOf = (at: number) => `app_${String(at).padStart(6, '0')}`;
/** Has half of the apps, which are the latest. */
const developerId = 'user_2';
const limit = 10;
const limits = { counted: limit, appsWithDecisions: limit };
const index = ['developer_id', 'review_status', 'changed_since_approval', 'id'];

async function fill(storage: Storage): Promise<void> {
  const [decision] = sampleRows.decisions;
  const [event] = sampleRows.events;
  assert.ok(decision && event);
  const isHalf = (at: number) => at >= count / 2;
  await storage.write(async (transaction) => {
    await transaction.insertNew('developers', [
      developerRow(),
      developerRow({ user_id: developerId }),
      developerRow({ user_id: 'user_3' }),
    ]);
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

  onStorage('the histories of developers are counted by indexes, up to a limit for each', async (storage) => {
    const developers = ['user_1', developerId, 'user_3'];
    const last = sampleRows.decisions[0]?.decided_at;
    const half = {
      apps: { DRAFT: 0, AWAITING_REVIEW: 0, APPROVED: limit, REJECTED: limit, deleted: 0 },
      decisions: [{ step: 'approve', count: limit, last }],
    };
    const found = await listDeveloperHistories(storage.reader, developers, limits);
    assert.deepEqual(
      found.toSorted((one, other) => (one.user_id < other.user_id ? -1 : 1)),
      [
        { user_id: 'user_1', ...half },
        { user_id: developerId, ...half },
        { user_id: 'user_3', apps: { ...half.apps, APPROVED: 0, REJECTED: 0 }, decisions: [] },
      ],
    );
    // Of one who has half of the apps, and of one who has none.
    for (const some of [developers, [developerId], ['user_3']]) {
      const work = (connection: Connection) => listDeveloperHistories(connection, some, limits);
      if (storage.engine === 'postgres') {
        await assertBounded(storage, work, { columns: index, rowsMax: 10 * limit * some.length });
      } else {
        const plan = await planOf(storage, work);
        assert.doesNotMatch(plan, /SCAN (apps|deleted_apps|decisions)|\(developer_id=\?\)/, plan);
        assert.match(plan, /USING INDEX decisions_of_app/, plan);
      }
    }
  });

  onStorage('the first app and the suspensions of a developer are found by their indexes', async (storage) => {
    const first = (connection: Connection) => findFirstApp(connection, { developerId });
    if (storage.engine === 'postgres') await assertBounded(storage, first, { columns: index, rowsMax: 16 });
    else assert.doesNotMatch(await planOf(storage, first), /SCAN (apps|deleted_apps)|\(developer_id=\?\)/);
    assert.equal((await first(storage.reader))?.created_at, count / 2);
    const suspensions = (connection: Connection) => countSuspensions(connection, { developerId, limit });
    await assertOrderedBy(storage, suspensions, { index: 'events_of_suspension', rowsMax: 10 });
    assert.equal((await suspensions(storage.reader))?.suspensions, 3);
  });
});
