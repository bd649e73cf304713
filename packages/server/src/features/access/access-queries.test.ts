import assert from 'node:assert/strict';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { execute, storageTest } from '@appregistrar/testkit/storage/storage-test';
import { assertOrderedBy } from '../../../test/storage/query-plan.ts';
import { developerRow, sampleRows } from '../../../test/storage/sample-rows.ts';
import { findSoonestExpiry } from './access-queries.ts';

const [token] = sampleRows.access_tokens;
const newest = 100;

forEachEngine((engine) => {
  storageTest(engine, 'the token that expires first is found among only the newest of its kind', async (storage) => {
    const rows = Array.from({ length: 5_000 }, (_, at) => ({
      ...token,
      id: `token_${String(at).padStart(6, '0')}`,
      hash: String(at),
      // The latest ones are all of another kind.
      ...(at < 1_000 ? { kind: 'platform' as const } : { kind: 'developer' as const, developer_id: 'user_1' }),
      expires_at: 1_000 + at,
      last_used_at: 1,
    }));
    await storage.write(async (transaction) => {
      await transaction.insertNew('developers', [developerRow()]);
      await transaction.insertNew('access_tokens', rows);
    });
    await storage.write((transaction) => execute(transaction, 'analyze access_tokens'));
    const query = { kind: 'platform', now: 1, usedSince: 0, lifetimeMsMin: 0, newest } as const;
    assert.equal((await findSoonestExpiry(storage.reader, query))?.expires_at, 1_900);
    assert.equal((await findSoonestExpiry(storage.reader, { ...query, kind: 'operator' }))?.expires_at, null);
    await assertOrderedBy(storage, (reader) => findSoonestExpiry(reader, query), {
      index: 'access_tokens_of_kind',
      rowsMax: newest,
    });
  });
});
