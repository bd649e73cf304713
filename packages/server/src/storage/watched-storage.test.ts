import assert from 'node:assert/strict';
import { forEachEngine } from 'app-registry-testkit/engines/engines';
import type { DeveloperRow } from './tables.ts';
import { developerRow } from './testing/sample-rows.ts';
import { storageTest } from './testing/storage-test.ts';
import { WatchedStorage } from './watched-storage.ts';

forEachEngine((engine) => {
  storageTest(engine, 'rows that were stored are told after the commit, and others never', async (storage) => {
    const watched = new WatchedStorage(storage, 'developers', ['user_id']);
    const told: string[] = [];
    watched.onInserted = (rows: Pick<DeveloperRow, 'user_id'>[]) => told.push(...rows.map(({ user_id }) => user_id));
    const insert = (id: string) =>
      watched.write(async (transaction) => {
        await transaction.insertNew('developers', [developerRow({ user_id: id })]);
        assert.ok(!told.includes(id), 'before the commit');
        if (id === 'refused') throw new Error('refused');
      });
    await insert('first');
    await assert.rejects(insert('refused'), /refused/);
    await Promise.all([insert('second'), insert('third')]);
    await watched.write((transaction) => transaction.insertNew('deleted_apps', []));
    assert.deepEqual(told.toSorted(), ['first', 'second', 'third']);
  });

  storageTest(engine, 'of rows that are alike one is told, however many one write stores', async (storage) => {
    const watched = new WatchedStorage(storage, 'developers', ['created_at']);
    const told: number[] = [];
    watched.onInserted = (rows) => told.push(...rows.map(({ created_at }) => created_at));
    const row = (id: number) => developerRow({ user_id: `user_${id}`, email: `${id}@example.com`, created_at: id % 2 });
    await watched.write(async (transaction) => {
      for (let id = 0; id < 6; id += 3) await transaction.insertNew('developers', [id, id + 1, id + 2].map(row));
    });
    assert.deepEqual(told.toSorted(), [0, 1]);
  });

  storageTest(engine, 'an observer is told what the storage does, and its measures are there', async (storage) => {
    const watched = new WatchedStorage(storage, 'developers', ['user_id']);
    const commits: number[] = [];
    watched.observe({ committed: ({ writes }) => commits.push(writes), waited: () => {} });
    await watched.write((transaction) => transaction.insertNew('developers', [developerRow()]));
    assert.deepEqual(commits, [1]);
    assert.ok((await watched.measures.databaseBytes()) > 0);
  });
});
