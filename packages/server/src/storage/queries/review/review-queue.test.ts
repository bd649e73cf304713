import assert from 'node:assert/strict';
import { forEachEngine } from 'app-registry-testkit/engines/engines';
import { planOf } from '../../testing/query-plan.ts';
import { appRow, developerRow } from '../../testing/sample-rows.ts';
import { execute, storageTest } from '../../testing/storage-test.ts';
import { findFirstWaiting } from './review-queue.ts';

forEachEngine((engine) => {
  storageTest(engine, 'the queue is read in order from its index, without a sort', async (storage) => {
    const app = (at: number) =>
      appRow({
        id: `app_${String(at).padStart(6, '0')}`,
        name_key: `app ${at}`,
        name_claim: null,
        waiting_since: at % 2 === 0 ? 10_000 - at : 0,
      });
    await storage.write(async (transaction) => {
      await transaction.insertNew('developers', [developerRow()]);
      await transaction.insertNew(
        'apps',
        Array.from({ length: 5_000 }, (_, at) => app(at)),
      );
      await execute(transaction, 'analyze');
    });
    const first = await findFirstWaiting(storage.reader, { countMax: 101 });
    assert.deepEqual([first?.waiting_since, first?.waiting], [10_000 - 4_998, 101]);
    const plan = await planOf(storage, (connection) => findFirstWaiting(connection, { countMax: 101 }));
    const reads = plan.split('\n').filter((line) => /(SCAN|SEARCH|Scan using|Scan on) (?!counted)/.test(line));
    assert.ok(reads.length > 0);
    for (const line of reads) assert.match(line, /apps_waiting/, plan);
    assert.doesNotMatch(plan, /TEMP B-TREE|Sort/, plan);
  });
});
