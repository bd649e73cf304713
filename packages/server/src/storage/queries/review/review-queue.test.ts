import assert from 'node:assert/strict';
import { forEachEngine } from 'app-registry-testkit/engines/engines';
import { planOf } from '../testing/query-plan.ts';
import { appRow, developerRow } from '../testing/sample-rows.ts';
import { execute, storageTest } from '../testing/storage-test.ts';
import { findFirstInReview } from './apps-in-review.ts';

forEachEngine((engine) => {
  storageTest(engine, 'the queue is read in order from its index, without a sort', async (storage) => {
    const app = (at: number) =>
      appRow({
        id: `app_${String(at).padStart(6, '0')}`,
        name_key: `app ${at}`,
        name_claim: null,
        review_status: at % 2 === 0 ? 'AWAITING_REVIEW' : 'DRAFT',
        submitted_at: 10_000 - at,
      });
    await storage.write(async (transaction) => {
      await transaction.insertNew('developers', [developerRow()]);
      await transaction.insertNew(
        'apps',
        Array.from({ length: 5_000 }, (_, at) => app(at)),
      );
      await execute(transaction, 'analyze');
    });
    const first = await findFirstInReview(storage.reader, { countMax: 101 });
    assert.deepEqual([first?.submitted_at, first?.waiting], [10_000 - 4_998, 101]);
    const plan = await planOf(storage, (connection) => findFirstInReview(connection, { countMax: 101 }));
    const reads = plan.split('\n').filter((line) => /(SCAN|SEARCH|Scan using|Scan on) (?!counted)/.test(line));
    assert.ok(reads.length > 0);
    for (const line of reads) assert.match(line, /apps_in_review/, plan);
    assert.doesNotMatch(plan, /TEMP B-TREE|Sort/, plan);
  });
});
