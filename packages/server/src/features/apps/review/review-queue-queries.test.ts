import assert from 'node:assert/strict';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { execute, filledStorage } from '@appregistrar/testkit/storage/storage-test';
import { assertOrderedBy, planOf } from '../../../../test/storage/query-plan.ts';
import { appRow, developerRow } from '../../../../test/storage/sample-rows.ts';
import type { Storage } from '../../../storage/storage.ts';
import { countClaimed, countQueueEnd, findFirstWaiting, listReviewQueuePage, queueOrder } from './review-queries.ts';

/** Half of them wait, the latest longest. */
async function fill(storage: Storage): Promise<void> {
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
  });
  await storage.write((transaction) => execute(transaction, 'analyze'));
}

forEachEngine((engine) => {
  const onStorage = filledStorage(engine, fill);

  onStorage('the queue is read in order from its index, without a sort', async (storage) => {
    const first = await findFirstWaiting(storage.reader, { countMax: 101 });
    assert.deepEqual([first?.waiting_since, first?.waiting], [10_000 - 4_998, 101]);
    const plan = await planOf(storage, (connection) => findFirstWaiting(connection, { countMax: 101 }));
    const reads = plan.split('\n').filter((line) => /(SCAN|SEARCH|Scan using|Scan on) (?!counted)/.test(line));
    assert.ok(reads.length > 0);
    for (const line of reads) assert.match(line, /apps_waiting/, plan);
    assert.doesNotMatch(plan, /TEMP B-TREE|Sort/, plan);
  });

  onStorage('a page filtered by age reads no more rows than it returns, in both orders', async (storage) => {
    const limit = 20;
    for (const descending of [false, true]) {
      for (const position of [
        undefined,
        { side: 'after', values: ['6000', 'app_004000'] } as const,
        { side: 'before', values: ['6000', 'app_004000'] } as const,
      ]) {
        const request = {
          sorting: { order: queueOrder, descending, until: ['8000', ''] },
          limit,
          position: position && { ...position, values: [...position.values] },
        };
        await assertOrderedBy(storage, (connection) => listReviewQueuePage(connection, request), {
          index: 'apps_waiting',
          rowsMax: limit + 1,
        });
      }
    }
    const { rows } = await listReviewQueuePage(storage.reader, {
      sorting: { order: queueOrder, descending: true, until: ['8000', ''] },
      limit,
    });
    assert.deepEqual([rows[0]?.waiting_since, rows.length], [7_998, limit]);
  });

  onStorage('what a reviewer has claimed is counted without a scan of the queue', async (storage) => {
    const claim = (at: number) => ({
      app_id: `app_${String(at).padStart(6, '0')}`,
      actor: at < 4_000 ? 'other' : 'me',
      claimed_at: 0,
      expires_at: at,
    });
    await storage.write((transaction) =>
      transaction.insertNew(
        'review_claims',
        Array.from({ length: 1_000 }, (_, at) => claim(3_010 + at)),
      ),
    );
    await storage.write((transaction) => execute(transaction, 'analyze'));
    const claims = { actor: 'me', after: 4_001, until: 5_000 };
    const counted = (reader: Storage['reader']) =>
      countClaimed(reader, { sorting: { order: queueOrder }, limit: 100, claims });
    assert.equal(await counted(storage.reader), 4, 'half of them wait');
    const plan = await planOf(storage, counted);
    assert.match(plan, /review_claims_of_actor/, plan);
    assert.doesNotMatch(plan, /SCAN apps|Seq Scan|apps_waiting/, plan);
  });

  onStorage('an end of the queue is counted by its index, up to a limit, regardless of the filter', async (storage) => {
    const order = queueOrder;
    for (const sorting of [{ order }, { order, until: ['8000', ''] }, { order, from: ['8000', ''] }]) {
      for (const filters of [[{}], [{}, { kind: 'change' as const }, { isNew: true }, { developerId: 'user_2' }]]) {
        for (const fromEnd of [false, true]) {
          const work = (reader: Storage['reader']) => countQueueEnd(reader, { filters, sorting, limit: 100, fromEnd });
          await assertOrderedBy(storage, work, { index: 'apps_waiting', rowsMax: 2 * 100 });
          assert.equal((await work(storage.reader)).counted, 100);
        }
      }
    }
    const all = await countQueueEnd(storage.reader, {
      filters: [{}, { kind: 'change' }, { kind: 'transfer' }],
      sorting: { order, until: ['9000', ''] },
      limit: 5_000,
      fromEnd: false,
    });
    assert.deepEqual(all, { counted: 1_999, matching: [1_999, 1_999, 0], first: 5_002, last: 8_998 });
  });
});
