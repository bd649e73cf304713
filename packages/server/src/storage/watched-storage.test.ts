import assert from 'node:assert/strict';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { emptiedStorage } from '@appregistrar/testkit/storage/storage-test';
import { developerRow } from '../../test/storage/sample-rows.ts';
import { watchStorage } from './storage.ts';
import type { DeveloperRow } from './tables.ts';

onSqlite((engine) => {
  const onStorage = emptiedStorage(engine);

  onStorage('inserted rows are reported after the commit, and no others', async (storage) => {
    const watched = watchStorage(storage, 'developers', ['user_id']);
    const reported: string[] = [];
    watched.onInserted = (rows: Pick<DeveloperRow, 'user_id'>[]) =>
      reported.push(...rows.map(({ user_id }) => user_id));
    const insert = (id: string) =>
      watched.write(async (transaction) => {
        await transaction.insertAll('developers', [developerRow({ user_id: id })]);
        assert.ok(!reported.includes(id), 'before the commit');
        if (id === 'refused') throw new Error('refused');
      });
    await insert('first');
    await assert.rejects(insert('refused'), /refused/);
    await Promise.all([insert('second'), insert('third')]);
    await watched.write((transaction) => transaction.insertAll('deleted_apps', []));
    // The refused write that shares its transaction makes this one run again.
    let runs = 0;
    const rerun = watched.write((transaction) => {
      runs += 1;
      return transaction.insertAll('developers', [developerRow({ user_id: `run_${runs}` })]);
    });
    await Promise.allSettled([rerun, insert('refused')]);
    assert.deepEqual(reported.toSorted(), ['first', 'run_2', 'second', 'third']);
  });

  onStorage('rows with equal columns are reported once, however many a write inserts', async (storage) => {
    const watched = watchStorage(storage, 'developers', ['created_at']);
    const reported: number[] = [];
    watched.onInserted = (rows) => reported.push(...rows.map(({ created_at }) => created_at));
    const row = (id: number) => developerRow({ user_id: `user_${id}`, created_at: id % 2 });
    await watched.write(async (transaction) => {
      for (let id = 0; id < 6; id += 3) await transaction.insertAll('developers', [id, id + 1, id + 2].map(row));
    });
    assert.deepEqual(reported.toSorted(), [0, 1]);
  });
});
