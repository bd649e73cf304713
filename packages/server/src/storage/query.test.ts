import assert from 'node:assert/strict';
import { forEachEngine, sqlite } from '@appregistrar/testkit/engines/engines';
import { emptiedStorage, storageTest } from '@appregistrar/testkit/storage/storage-test';
import { developerIds, developerRow, storeDevelopers } from '../../test/storage/sample-rows.ts';
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

  onStorage('values are bound by name, in any order, and anew in each execution', async (storage) => {
    await storage.write(async (transaction) => {
      await insertDeveloper(transaction, developerRow({ user_id: 'ada', first_name: 'Ada', last_name: 'X' }));
      await insertDeveloper(transaction, developerRow({ user_id: 'grace', first_name: 'Grace', last_name: 'X' }));
    });
    const found = await Promise.all([
      findByNames(storage.reader, { first: 'Grace', last: 'X' }),
      findByNames(storage.reader, { last: 'X', first: 'Ada' }),
      findByNames(storage.reader, { first: 'Grace', last: 'X' }),
      findByNames(storage.reader, { first: 'X', last: 'Grace' }),
    ]);
    assert.deepEqual(
      found.map((row) => row?.user_id),
      ['grace', 'ada', 'grace', undefined],
    );
  });

  onStorage('constant values of a query are preserved', async (storage) => {
    const findAda = defineFind((db, { last }: { last: string }) =>
      db.selectFrom('developers').select('user_id').where('first_name', '=', 'Ada').where('last_name', '=', last),
    );
    await storage.write((transaction) =>
      insertDeveloper(transaction, developerRow({ first_name: 'Ada', last_name: 'L' })),
    );
    assert.ok(await findAda(storage.reader, { last: 'L' }));
    assert.equal(await findAda(storage.reader, { last: 'Ada' }), null);
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
    assert.deepEqual(await developerIds(storage.reader), []);
  });
});

storageTest(sqlite, 'a limit that is constant is part of the text, and one that is a value is not', async (storage) => {
  const constant = storage.reader.builder.selectFrom('developers').select('user_id').limit(250).compile();
  assert.deepEqual([constant.sql, constant.parameters], ['select "user_id" from "developers" limit 250', []]);
  const listSome = defineList((db, { limit }: { limit: number }) =>
    db.selectFrom('developers').select('user_id').orderBy('user_id').limit(limit),
  );
  await storeDevelopers(storage, 'user_1', 'user_2', 'user_3');
  for (const limit of [2, 1, 3]) assert.equal((await listSome(storage.reader, { limit })).length, limit);
});

function isMissing(error: unknown): boolean {
  return error instanceof TypeError && /a value is missing/.test(error.message);
}
