import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, test } from 'node:test';
import { collect, emptiedStorage, execute, forEachStorage } from '@appregistrar/testkit/storage/storage-test';
import { developerIds, storeDevelopers } from '../../test/storage/sample-rows.ts';
import { openStorage } from './open-storage.ts';
import { defineStream, type Snapshot } from './query.ts';
import type { Storage } from './storage.ts';

const count = 1_234;
const streamUserIds = defineStream((db, { after }: { after: string }) =>
  db.selectFrom('developers').select('user_id').where('user_id', '>', after).orderBy('user_id'),
);
const streamFew = defineStream((db) => db.selectFrom('developers').select('user_id').orderBy('user_id'), {
  rowsMax: 10,
});

forEachStorage((engine) => {
  describe('a snapshot', () => {
    const onStorage = emptiedStorage(engine);

    onStorage('streams every row once, in order, some at a time', async (storage) => {
      await fill(storage);
      const sizes: number[] = [];
      const ids: string[] = [];
      for await (const rows of storage.snapshot((snapshot) => streamUserIds(snapshot, { after: '' }))) {
        sizes.push(rows.length);
        ids.push(...rows.map((row) => row.user_id));
      }
      assert.deepEqual(sizes, [500, 500, 234]);
      assert.deepEqual(ids, userIds());
      const last = storage.snapshot((snapshot) => streamUserIds(snapshot, { after: 'user_19999' }));
      assert.deepEqual(await collect(last), []);
    });

    onStorage('shows one moment in all its queries, regardless of concurrent writes', async (storage) => {
      await fill(storage);
      const seen = { first: 0, second: 0 };
      const work = async function* (snapshot: Snapshot) {
        for await (const rows of streamFew(snapshot, {})) {
          if (seen.first === 0) await storage.write((transaction) => execute(transaction, 'delete from developers'));
          seen.first += rows.length;
          yield rows;
        }
        for await (const rows of streamUserIds(snapshot, { after: '' })) seen.second += rows.length;
      };
      await collect(storage.snapshot(work));
      assert.deepEqual(seen, { first: count, second: count });
      assert.deepEqual(await developerIds(storage.reader), []);
    });

    onStorage('reads queries in turns', async (storage) => {
      await fill(storage);
      const work = async function* (snapshot: Snapshot) {
        for await (const rows of streamFew(snapshot, {})) {
          const after = rows.at(-1)?.user_id ?? '';
          let rest = 0;
          for await (const more of streamUserIds(snapshot, { after })) rest += more.length;
          yield rest;
          if (rest < count - 30) return;
        }
      };
      assert.deepEqual(await collect(storage.snapshot(work)), [count - 10, count - 20, count - 30, count - 40]);
    });

    test('releases its connection when its reader stops and when it fails', async () => {
      const { url, drop } = await engine.createMigratedDatabase();
      const storage = await openStorage(url, { create: true });
      await fill(storage);
      for (let at = 0; at < 11; at += 1) {
        for await (const rows of storage.snapshot((snapshot) => streamFew(snapshot, {}))) {
          assert.equal(rows.length, 10);
          break;
        }
        const failing = async function* (snapshot: Snapshot) {
          for await (const rows of streamFew(snapshot, {})) {
            yield rows;
            throw new Error('no more');
          }
        };
        await assert.rejects(collect(storage.snapshot(failing)), /no more/);
        await assert.rejects(collect(storage.snapshot((snapshot) => wrong(snapshot))));
      }
      // PostgreSQL: waits for every connection that was not released.
      await storage.close();
      // SQLite: the last connection to close removes the log.
      assert.ok(!existsSync(`${url.replace('sqlite:', '')}-wal`));
      await drop();
    });

    onStorage('writes nothing', async (storage) => {
      await fill(storage);
      const work = (snapshot: Snapshot) =>
        snapshot.stream(snapshot.builder.deleteFrom('developers').returning('user_id').compile());
      await assert.rejects(collect(storage.snapshot(work)));
      assert.equal((await developerIds(storage.reader)).length, count);
    });
  });
});

function wrong(snapshot: Snapshot): AsyncIterable<unknown[]> {
  return snapshot.stream(
    snapshot.builder
      .selectFrom('developers')
      .select('nothing' as 'user_id')
      .compile(),
  );
}

function userIds(): string[] {
  return Array.from({ length: count }, (_, at) => `user_${10_000 + at}`);
}

async function fill(storage: Storage): Promise<void> {
  await storeDevelopers(storage, ...userIds());
}
