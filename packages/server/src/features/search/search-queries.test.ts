import assert from 'node:assert/strict';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { filledStorage } from '@appregistrar/testkit/storage/storage-test';
import { sql } from 'kysely';
import { planOf } from '../../../test/storage/query-plan.ts';
import type { Connection } from '../../storage/query.ts';
import type { Storage } from '../../storage/storage.ts';
import { replaceProjections } from '../apps/comparison/projection-queries.ts';
import { listSearchTexts, type TextSearch } from './search-queries.ts';

const rowsCount = 3_000;

async function fill(storage: Storage): Promise<void> {
  const texts = Array.from({ length: rowsCount }, (_, at) => ({
    subject_id: `app_${at}`,
    name: ` ${at % 2 === 0 ? 'ledger' : 'kanban'} ${at}  `,
    hosts: ` host${at}.example  `,
    person: null,
  }));
  const developer = { subject_id: 'user_1', name: null, hosts: null, person: ' ada@example.com  ' };
  await storage.write((transaction) =>
    replaceProjections(transaction, storage.engine, { ids: [], texts: [...texts, developer], comparisonKeys: [] }),
  );
}

const searches: Pick<TextSearch, 'column' | 'parts'>[] = [
  { column: 'name', parts: [' ledger'] },
  { column: 'name', parts: ['edge', '299'] },
  { column: 'name', parts: ['zz'] },
  { column: 'name', parts: ['le'] },
  { column: 'hosts', parts: ['host12'] },
  { column: 'person', parts: ['@'] },
  { column: 'subject_id', parts: ['p_29'] },
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
});
