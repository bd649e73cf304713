import assert from 'node:assert/strict';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { execute, storageTest } from '@appregistrar/testkit/storage/storage-test';
import { planOf } from '../../../test/storage/query-plan.ts';
import { decisionRow } from '../../../test/storage/sample-rows.ts';
import type { Storage } from '../../storage/storage.ts';
import { listGrowingApps, listWeeklyDecisions, listWeeklyInstallations, listWeeklyWaits } from './overview-queries.ts';

const rows = 5_000;

/** Few of many are recent. */
async function fill(storage: Storage): Promise<void> {
  const numbers = Array.from({ length: rows }, (_, at) => at);
  await storage.write(async (transaction) => {
    await transaction.insertNew(
      'decisions',
      numbers.map((at) => decisionRow({ event_id: `event_${at}`, decided_at: at, waiting_since: at - 1 })),
    );
    await transaction.insertNew(
      'weekly_installations',
      numbers.map((at) => ({ week: at % 50, app_id: at < 50 ? '' : `app_${at}`, created: 1, deleted: 0 })),
    );
  });
  await storage.write((transaction) => execute(transaction, 'analyze'));
}

forEachEngine((engine) => {
  storageTest(engine, 'the decisions and installations of some weeks are read by an index', async (storage) => {
    await fill(storage);
    const works: [(reader: Storage['reader']) => Promise<unknown>, RegExp][] = [
      [(reader) => listWeeklyDecisions(reader, { since: rows - 10 }), /decisions_by_time/],
      [(reader) => listWeeklyWaits(reader, { since: rows - 10 }), /decisions_by_time/],
      [
        (reader) => listWeeklyInstallations(reader, [48, 49]),
        /weekly_installations_pkey|autoindex_weekly_installations/,
      ],
      [(reader) => listGrowingApps(reader, { fromWeek: 49, limit: 5 }), /weekly_installations_pkey|autoindex_weekly/],
    ];
    for (const [work, index] of works) {
      const plan = await planOf(storage, work);
      assert.match(plan, index, plan);
      assert.doesNotMatch(plan, /SCAN (decisions|weekly)|Seq Scan on (decisions|weekly)/, plan);
    }
  });
});
