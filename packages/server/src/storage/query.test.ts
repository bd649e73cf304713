import assert from 'node:assert/strict';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { emptiedStorage } from '@appregistrar/testkit/storage/storage-test';
import { developerRow } from '../../test/storage/sample-rows.ts';
import { defineChange, defineFind, defineInsert, defineList } from './query.ts';
import type { Tables } from './tables.ts';

const insertDeveloper = defineInsert('developers');

const findByNames = defineFind((db, { first, last }: { first: string; last: string }) =>
  db.selectFrom('developers').select('user_id').where('last_name', '=', last).where('first_name', '=', first),
);

const rename = defineChange((db, { userId, first, last }: { userId: string; first: string | null; last: string }) =>
  db.updateTable('developers').set({ first_name: first, last_name: last }).where('user_id', '=', userId),
);

forEachEngine((engine) => {
  const onStorage = emptiedStorage(engine);

  onStorage('values are bound by name, in any order', async (storage) => {
    await storage.write(async (transaction) => {
      await insertDeveloper(transaction, developerRow({ first_name: 'Ada', last_name: 'Lovelace' }));
    });
    const expected = { user_id: 'user_1' };
    assert.deepEqual({ ...(await findByNames(storage.reader, { first: 'Ada', last: 'Lovelace' })) }, expected);
    assert.deepEqual({ ...(await findByNames(storage.reader, { last: 'Lovelace', first: 'Ada' })) }, expected);
    assert.equal(await findByNames(storage.reader, { first: 'Lovelace', last: 'Ada' }), null);
  });

  onStorage('a repeated query uses its new values', async (storage) => {
    await storage.write(async (transaction) => {
      for (const first_name of ['Ada', 'Grace']) {
        await insertDeveloper(transaction, developerRow({ user_id: first_name, first_name, last_name: 'X' }));
      }
    });
    const found = await Promise.all(
      ['Grace', 'Ada', 'Grace', 'Mary'].map((first) => findByNames(storage.reader, { first, last: 'X' })),
    );
    assert.deepEqual(
      found.map((row) => row?.user_id),
      ['Grace', 'Ada', 'Grace', undefined],
    );
  });

  onStorage('constant values of a query are preserved', async (storage) => {
    const findAda = defineFind((db, { last }: { last: string }) =>
      db.selectFrom('developers').select('user_id').where('first_name', '=', 'Ada').where('last_name', '=', last),
    );
    const listNamed = defineList((db) => db.selectFrom('developers').select('user_id').where('last_name', '=', 'L'));
    await storage.write((transaction) =>
      insertDeveloper(transaction, developerRow({ first_name: 'Ada', last_name: 'L' })),
    );
    assert.ok(await findAda(storage.reader, { last: 'L' }));
    assert.equal(await findAda(storage.reader, { last: 'Ada' }), null);
    assert.equal((await listNamed(storage.reader, {})).length, 1);
  });

  onStorage('null is stored as null, and a missing value throws instead of being stored as null', async (storage) => {
    const names = { first: 'Ada', last: 'Lovelace' };
    await storage.write(async (transaction) => {
      await insertDeveloper(transaction, developerRow({ first_name: names.first, last_name: names.last }));
    });
    const missing = { userId: 'user_1', last: 'Byron' } as Parameters<typeof rename>[1];
    await assert.rejects(
      storage.write((transaction) => rename(transaction, missing)),
      isMissing,
    );
    await assert.rejects(
      storage.write((transaction) => rename(transaction, { ...missing, first: undefined as never })),
      isMissing,
    );
    await assert.rejects(findByNames(storage.reader, { first: 'Ada' } as typeof names), isMissing);
    assert.ok(await findByNames(storage.reader, names), 'a failed change has changed the row');

    await storage.write((transaction) => rename(transaction, { ...missing, first: null }));
    const listNames = defineList((db) => db.selectFrom('developers').select(['first_name', 'last_name']));
    const [row] = await listNames(storage.reader, {});
    assert.deepEqual({ ...row }, { first_name: null, last_name: 'Byron' });
  });

  onStorage('a row with a missing column is not inserted', async (storage) => {
    const { first_name: _, ...incomplete } = developerRow();
    const row = incomplete as Tables['developers'];
    await assert.rejects(
      storage.write((transaction) => insertDeveloper(transaction, row)),
      isMissing,
    );
    await assert.rejects(
      storage.write((transaction) => transaction.insertNew('developers', [developerRow(), row])),
      isMissing,
    );
    const listIds = defineList((db) => db.selectFrom('developers').select('user_id'));
    assert.deepEqual(await listIds(storage.reader, {}), []);
  });
});

function isMissing(error: unknown): boolean {
  return error instanceof TypeError && /a value is missing/.test(error.message);
}
