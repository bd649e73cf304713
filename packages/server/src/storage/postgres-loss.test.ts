import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { postgres } from '../testing/engines.ts';
import { findDeveloper } from './developers.ts';
import { StorageUnavailable, UnknownOutcome } from './failure.ts';
import { openStorage } from './open-storage.ts';
import { type Connection, insert, stream } from './query.ts';
import type { Snapshot } from './snapshot.ts';
import type { Storage } from './storage.ts';
import { developerRow } from './testing/sample-rows.ts';
import { collect } from './testing/snapshots.ts';
import { execute, storageTest } from './testing/storage-test.ts';

const insertDeveloper = insert('developers');

describe('a connection that is lost to PostgreSQL', () => {
  storageTest(
    postgres,
    'in the middle of a write: unavailable, nothing stored, and the next write lands',
    async (storage) => {
      const write = storage.write(async (transaction) => {
        await insertDeveloper(transaction, developerRow());
        await terminate(storage, await backendOf(transaction));
        await insertDeveloper(transaction, developerRow({ user_id: 'user_2' }));
      });
      await assert.rejects(write, StorageUnavailable);
      await storage.write((transaction) => insertDeveloper(transaction, developerRow({ user_id: 'user_3' })));
      assert.deepEqual(await userIds(storage), ['user_3']);
    },
  );

  storageTest(postgres, 'before the commit was asked for: unavailable, and nothing stored', async (storage) => {
    const write = storage.write(async (transaction) => {
      await insertDeveloper(transaction, developerRow());
      await terminate(storage, await backendOf(transaction));
      await sleep(50);
    });
    await assert.rejects(write, StorageUnavailable);
    assert.deepEqual(await userIds(storage), []);
  });

  storageTest(postgres, 'during the commit: the outcome is told to be unknown', async (storage) => {
    await storage.write(async (transaction) => {
      await execute(
        transaction,
        'create function linger() returns trigger language plpgsql as $$ begin perform pg_sleep(9); return null; end $$',
      );
      await execute(
        transaction,
        `create constraint trigger linger_in_commit after insert on developers
         deferrable initially deferred for each row execute function linger()`,
      );
    });
    const backend = Promise.withResolvers<number>();
    const write = storage.write(async (transaction) => {
      await insertDeveloper(transaction, developerRow());
      backend.resolve(await backendOf(transaction));
    });
    const refused = assert.rejects(write, UnknownOutcome);
    const id = await backend.promise;
    const isCommitting = async () =>
      (await execute(storage.reader, `select 1 from pg_stat_activity where pid = ${id} and query = 'commit'`)).length >
      0;
    while (!(await isCommitting())) await sleep(5);
    await terminate(storage, id);
    await refused;
  });

  storageTest(postgres, 'during a read: unavailable, and the next read is answered', async (storage, url) => {
    const other = await openStorage(url);
    const read = assert.rejects(execute(storage.reader, 'select pg_sleep(9)'), StorageUnavailable);
    const sleeping = `select pid from pg_stat_activity where query = 'select pg_sleep(9)' and state = 'active'`;
    let found: { pid: number }[] = [];
    while (found.length === 0) found = await execute(other.reader, sleeping);
    await terminate(other, found[0]?.pid ?? 0);
    await read;
    await other.close();
    assert.equal(await findDeveloper(storage.reader, { userId: 'user_1' }), null);
  });

  storageTest(postgres, 'during a snapshot: unavailable, and the next one is read', async (storage) => {
    const rows = Array.from({ length: 30 }, (_, at) => developerRow({ user_id: `user_${10 + at}` }));
    await storage.write((transaction) => transaction.insertNew('developers', rows));
    const streamIds = stream((db) => db.selectFrom('developers').select('user_id').orderBy('user_id'), { rowsMax: 10 });
    const work = async function* (snapshot: Snapshot) {
      const [backend] = await collect(
        snapshot.stream(sql<{ pid: number }>`select pg_backend_pid() as pid`.compile(snapshot.builder)),
      );
      for await (const ids of streamIds(snapshot, {})) {
        await terminate(storage, backend?.[0]?.pid ?? 0);
        yield ids;
      }
    };
    await assert.rejects(collect(storage.snapshot(work)), StorageUnavailable);
    assert.equal((await collect(storage.snapshot((snapshot) => streamIds(snapshot, {})))).length, 3);
  });

  storageTest(postgres, 'while it was idle: nobody notices', async (storage, url) => {
    await Promise.all([1, 2, 3].map(() => storage.ping()));
    const other = await openStorage(url);
    await execute(
      other.reader,
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
    );
    await sleep(50);
    await Promise.all([1, 2, 3].map(() => storage.ping()));
    await other.close();
  });
});

async function backendOf(connection: Connection): Promise<number> {
  const [row] = await execute<{ pid: number }>(connection, 'select pg_backend_pid() as pid');
  assert.ok(row);
  return row.pid;
}

async function terminate(storage: Storage, backend: number): Promise<void> {
  const answer = await execute(storage.reader, `select pg_terminate_backend(${backend}, 5000) as terminated`);
  assert.deepEqual(answer, [{ terminated: true }]);
}

async function userIds(storage: Storage): Promise<string[]> {
  const rows = await execute<{ user_id: string }>(storage.reader, 'select user_id from developers order by user_id');
  return rows.map((row) => row.user_id);
}
