import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { postgres } from '../testing/engines.ts';
import { findApp, findAppForUpdate, insertApp, updateInstallationCount } from './apps.ts';
import { findDeveloper } from './developers.ts';
import { StorageUnavailable, UnknownOutcome, UnusableDatabase } from './failure.ts';
import { type Connection, insert } from './query.ts';
import { openStorage, type Storage } from './storage.ts';
import { appRow, developerRow } from './testing/sample-rows.ts';
import { execute, storageTest } from './testing/storage-test.ts';

const insertDeveloper = insert('developers');

describe('a race that is lost on PostgreSQL', () => {
  storageTest(postgres, 'a deadlock is resolved by doing one write again', async (storage) => {
    await storage.write(async (transaction) => {
      await insertDeveloper(transaction, developerRow());
      for (const id of ['app_1', 'app_2']) await insertApp(transaction, appRow({ id }));
    });
    let attempts = 0;
    const bothHoldOne = Promise.withResolvers<void>();
    const countUp = (first: string, second: string) =>
      storage.write(async (transaction) => {
        await findAppForUpdate(transaction, { id: first });
        attempts += 1;
        if (attempts === 2) bothHoldOne.resolve();
        await bothHoldOne.promise;
        await findAppForUpdate(transaction, { id: second });
        for (const id of [first, second]) await updateInstallationCount(transaction, { id, by: 1 });
      });
    await Promise.all([countUp('app_1', 'app_2'), countUp('app_2', 'app_1')]);
    assert.equal(attempts, 3);
    assert.equal((await findApp(storage.reader, { id: 'app_1' }))?.installation_count, 2);
    assert.equal((await findApp(storage.reader, { id: 'app_2' }))?.installation_count, 2);
  });

  storageTest(postgres, 'a serialization failure is tried again, and leaves nothing of the first try', async (storage) => {
    let attempts = 0;
    await storage.write(async (transaction) => {
      attempts += 1;
      await insertDeveloper(transaction, developerRow({ user_id: `user_${attempts}` }));
      if (attempts < 3) await raise(transaction, '40001');
    });
    assert.deepEqual(await userIds(storage), ['user_3']);
  });

  storageTest(postgres, 'a write that always loses is unavailable in the end', async (storage) => {
    let attempts = 0;
    const write = storage.write(async (transaction) => {
      attempts += 1;
      await raise(transaction, '40001');
    });
    await assert.rejects(write, StorageUnavailable);
    assert.equal(attempts, 6);
  });

  storageTest(postgres, 'a failed statement whose error is dropped does not pass for a stored write', async (storage) => {
    const write = storage.write(async (transaction) => {
      await insertDeveloper(transaction, developerRow());
      await insertDeveloper(transaction, developerRow()).catch(() => {});
    });
    await assert.rejects(write, /a statement failed in the transaction/);
    assert.deepEqual(await userIds(storage), []);
  });
});

describe('a connection that is lost to PostgreSQL', () => {
  storageTest(postgres, 'in the middle of a write: unavailable, nothing stored, and the next write lands', async (storage) => {
    const write = storage.write(async (transaction) => {
      await insertDeveloper(transaction, developerRow());
      await terminate(storage, await backendOf(transaction));
      await insertDeveloper(transaction, developerRow({ user_id: 'user_2' }));
    });
    await assert.rejects(write, StorageUnavailable);
    await storage.write((transaction) => insertDeveloper(transaction, developerRow({ user_id: 'user_3' })));
    assert.deepEqual(await userIds(storage), ['user_3']);
  });

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
      (await execute(storage.reader, `select 1 from pg_stat_activity where pid = ${id} and query = 'commit'`)).length > 0;
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

describe('a PostgreSQL database that cannot be used', () => {
  test('a server that does not answer', async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    closed.close();
    await assert.rejects(openStorage(`postgres://postgres:secret@127.0.0.1:${port}/registry`), isUnusable(/ECONNREFUSED/));
    await assert.rejects(openStorage('postgres://localhost/registry?host=/nonexistent'), isUnusable(/ENOENT/));
  });

  test('a server that speaks something else', async () => {
    const server = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await assert.rejects(openStorage(`postgres://127.0.0.1:${port}/registry`), isUnusable(/./));
    server.close();
  });

  test('a database that does not exist', async () => {
    const { url, drop } = await postgres.createDatabase();
    await drop();
    await assert.rejects(openStorage(url), isUnusable(/database "test_.*" does not exist/));
  });

  storageTest(postgres, 'a database that is read-only is read, and takes no write', async (storage, url) => {
    await alterDatabase(storage, url, 'set default_transaction_read_only = on');
    const other = await openStorage(url);
    await assert.rejects(other.ping(), StorageUnavailable);
    await assert.rejects(other.write((transaction) => insertDeveloper(transaction, developerRow())), StorageUnavailable);
    assert.equal(await findDeveloper(other.reader, { userId: 'user_1' }), null);
    await other.close();
  });
});

storageTest(postgres, 'a query is prepared once on a connection', async (storage) => {
  await storage.write(async (transaction) => {
    for (let at = 0; at < 5; at += 1) await findApp(transaction, { id: `app_${at}` });
    const prepared = await execute<{ times: number }>(
      transaction,
      `select generic_plans + custom_plans as times from pg_prepared_statements where statement like '%from "apps"%'`,
    );
    assert.deepEqual(prepared, [{ times: 5 }]);
  });
});

storageTest(postgres, 'each statement of a write sees the latest commits, whatever the server prefers', async (storage, url) => {
  await alterDatabase(storage, url, 'set default_transaction_isolation = serializable');
  const other = await openStorage(url);
  await other.write(async (transaction) => {
    assert.equal(await findDeveloper(transaction, { userId: 'user_1' }), null);
    await storage.write((inner) => insertDeveloper(inner, developerRow()));
    assert.ok(await findDeveloper(transaction, { userId: 'user_1' }));
  });
  await other.close();
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

async function alterDatabase(storage: Storage, url: string, change: string): Promise<void> {
  await execute(storage.reader, `alter database "${new URL(url).pathname.slice(1)}" ${change}`);
}

async function raise(connection: Connection, sqlState: string): Promise<void> {
  await execute(connection, `do $$ begin raise exception 'lost' using errcode = '${sqlState}'; end $$`);
}

async function userIds(storage: Storage): Promise<string[]> {
  const rows = await execute<{ user_id: string }>(storage.reader, 'select user_id from developers order by user_id');
  return rows.map((row) => row.user_id);
}

function isUnusable(reason: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof UnusableDatabase, String(error));
    assert.match(error.message, reason);
    assert.doesNotMatch(error.message, /secret/);
    return true;
  };
}
