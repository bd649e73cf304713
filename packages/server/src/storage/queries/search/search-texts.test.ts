import assert from 'node:assert/strict';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { sql } from 'kysely';
import type { Connection } from '../../query.ts';
import type { Storage } from '../../storage.ts';
import { appRow, developerRow } from '../../testing/default-rows.ts';
import { planOf } from '../../testing/query-plan.ts';
import { filledStorage } from '../../testing/storage-test.ts';
import { listSearchTexts, type TextSearch } from './search-texts.ts';

const rowsCount = 3_000;

async function fill(storage: Storage): Promise<void> {
  await storage.write(async (transaction) => {
    await transaction.insertNew('developers', [developerRow()]);
    await transaction.insertNew(
      'apps',
      Array.from({ length: rowsCount }, (_, at) =>
        appRow({
          id: `app_${at}`,
          name_key: `${at % 2 === 0 ? 'ledger' : 'kanban'} ${at}`,
          name_claim: `name ${at}`,
          login_url: `https://host${at}.example/`,
        }),
      ),
    );
  });
}

const searches: Pick<TextSearch, 'column' | 'parts'>[] = [
  { column: 'name', parts: [' ledger'] },
  { column: 'name', parts: ['edge', '299'] },
  { column: 'name', parts: ['zz'] },
  { column: 'name', parts: ['le'] },
  { column: 'hosts', parts: ['host12'] },
  { column: 'person', parts: ['@'] },
];

/** The steps of the plan that would read all texts. */
const scans = { sqlite: /SCAN search_texts\b/, postgres: /Seq Scan/ };
const index = { sqlite: /VIRTUAL TABLE INDEX/, postgres: /Bitmap Index Scan on search_texts_by_trigram/ };

forEachEngine((engine) => {
  const onStorage = filledStorage(engine, fill);

  onStorage('texts are found by their index, before and after statistics are gathered', async (storage) => {
    for (const hasStatistics of [false, true]) {
      if (hasStatistics)
        await storage.write((transaction) => transaction.run(sql`analyze`.compile(transaction.builder)));
      for (const search of searches) {
        const work = (reader: Connection) =>
          listSearchTexts({ reader, engine: storage.engine }, { ...search, limit: 10 });
        const plan = await planOf(storage, work);
        assert.match(plan, index[storage.engine], plan);
        assert.doesNotMatch(plan, scans[storage.engine], plan);
      }
    }
  });

  onStorage('an update that leaves the searched columns as they are writes no text', async (storage) => {
    const update = (assignments: string) =>
      storage.write((transaction) =>
        transaction.run(sql.raw(`update apps set ${assignments} where id = 'app_7'`).compile(transaction.builder)),
      );
    // A row that is missing shows whether it is written again.
    await storage.write((transaction) =>
      transaction.run(sql`delete from search_texts where subject_id = 'app_7'`.compile(transaction.builder)),
    );
    const text = () => listSearchTexts(storage, { column: 'hosts', parts: ['host7.example'], limit: 1 });
    await update('name_key = name_key, login_url = login_url, updated_at = updated_at + 1');
    assert.deepEqual(await text(), []);
    await update(`callback_url = 'https://other.example/'`);
    assert.deepEqual(await text(), [{ subject_id: 'app_7', text: ' host7.example other.example  ' }]);
  });
});
