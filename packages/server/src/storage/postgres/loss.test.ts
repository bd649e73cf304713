import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { describe } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { postgres } from '@appregistrar/testkit/engines/engines';
import {
  alterDatabase,
  collect,
  emptiedStorage,
  execute,
  storageTest,
} from '@appregistrar/testkit/storage/storage-test';
import { sql } from 'kysely';
import pg from 'pg';
import { developerRow } from '../../../test/storage/sample-rows.ts';
import { findDeveloper } from '../../features/developers/developer-queries.ts';
import { openStorage } from '../open-storage.ts';
import { type Connection, defineInsert, defineStream, type Snapshot } from '../query.ts';
import type { Storage } from '../storage.ts';
import { StorageUnavailable, UnknownOutcome } from '../storage-failure.ts';

const insertDeveloper = defineInsert('developers');

describe('a time limit of the database', () => {
  for (const limit of ['lock_timeout', 'statement_timeout']) {
    storageTest(
      postgres,
      `${limit}: unavailable, nothing stored, and the next write succeeds`,
      async (storage, url) => {
        await alterDatabase(storage, url, `set ${limit} = 200`);
        const other = await openStorage(url);
        await storage.write(async (transaction) => {
          await execute(transaction, 'lock table developers');
          await assert.rejects(
            other.write((blocked) => insertDeveloper(blocked, developerRow())),
            StorageUnavailable,
          );
          await assert.rejects(findDeveloper(other.reader, { userId: 'user_1' }), StorageUnavailable);
        });
        await other.write((transaction) => insertDeveloper(transaction, developerRow({ user_id: 'user_2' })));
        assert.deepEqual(await userIds(storage), ['user_2']);
        await other.close();
      },
    );
  }
});

describe('a lost connection to PostgreSQL', () => {
  const onStorage = emptiedStorage(postgres);

  onStorage('during a write: unavailable, nothing stored, and the next write succeeds', async (storage) => {
    const write = storage.write(async (transaction) => {
      await insertDeveloper(transaction, developerRow());
      await terminate(storage, await backendOf(transaction));
      await insertDeveloper(transaction, developerRow({ user_id: 'user_2' }));
    });
    await assert.rejects(write, StorageUnavailable);
    await storage.write((transaction) => insertDeveloper(transaction, developerRow({ user_id: 'user_3' })));
    assert.deepEqual(await userIds(storage), ['user_3']);
  });

  onStorage('before the commit was sent: unavailable, and nothing stored', async (storage) => {
    const write = storage.write(async (transaction) => {
      await insertDeveloper(transaction, developerRow());
      await terminate(storage, await backendOf(transaction));
      await noticed();
    });
    await assert.rejects(write, StorageUnavailable);
    assert.deepEqual(await userIds(storage), []);
  });

  storageTest(postgres, 'during the commit: the outcome is reported as unknown', async (storage) => {
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
    while (!(await isCommitting()));
    await terminate(storage, id);
    await refused;
  });

  onStorage('during a read: unavailable, and the next read succeeds', async (storage, url) => {
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

  onStorage('during a snapshot: unavailable, and the next snapshot succeeds', async (storage) => {
    const rows = Array.from({ length: 30 }, (_, at) => developerRow({ user_id: `user_${10 + at}` }));
    await storage.write((transaction) => transaction.insertNew('developers', rows));
    const streamIds = defineStream((db) => db.selectFrom('developers').select('user_id').orderBy('user_id'), {
      rowsMax: 10,
    });
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

  onStorage('while idle: no client notices', async (storage, url) => {
    await Promise.all([1, 2, 3].map(() => storage.ping()));
    const other = await openStorage(url);
    await execute(
      other.reader,
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
    );
    await noticed();
    await Promise.all([1, 2, 3].map(() => storage.ping()));
    await other.close();
  });
});

storageTest(
  postgres,
  'a connection lost while connecting: unavailable, and the next write succeeds',
  async (_, url) => {
    const server = new LosingProxy(url);
    const storage = await openStorage(await server.url());
    server.losesNew = true;
    const write = () => storage.write((transaction) => userIds({ reader: transaction }));
    const outcomes = await Promise.allSettled([write(), write(), write()]);
    server.losesNew = false;
    const [refused, ...others] = outcomes.filter((outcome) => outcome.status === 'rejected');
    assert.ok(refused?.reason instanceof StorageUnavailable, String(refused?.reason));
    assert.ok(others.every(({ reason }) => reason instanceof StorageUnavailable));
    assert.deepEqual(await write(), []);
    await storage.close();
    await server.close();
  },
);

/** Proxies a PostgreSQL whose process ends just as a connection is ready, and sends both messages in one packet. */
class LosingProxy {
  losesNew = false;
  readonly #url: string;
  readonly #server: Server;

  constructor(url: string) {
    this.#url = url;
    this.#server = createServer((client) => this.#join(client)).listen(0, '127.0.0.1');
  }

  async url(): Promise<string> {
    if (!this.#server.listening) await once(this.#server, 'listening');
    const { port } = this.#server.address() as AddressInfo;
    const { user, database } = new pg.Client(this.#url);
    return `postgres://${user}@127.0.0.1:${port}/${database}`;
  }

  async close(): Promise<void> {
    this.#server.close();
    await once(this.#server, 'close');
  }

  #join(client: Socket): void {
    const { host, port } = new pg.Client(this.#url);
    const server = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    const isLost = this.losesNew;
    client.on('error', () => {}).pipe(server.on('error', () => {}));
    server.on('data', (piece: Buffer) => {
      const isReady = piece.subarray(-6).equals(readyForQuery);
      if (isLost && isReady) client.end(Buffer.concat([piece, fatal]));
      else client.write(piece);
    });
    server.on('close', () => client.destroy());
  }
}

/** See https://www.postgresql.org/docs/current/protocol-message-formats.html: ready outside a transaction, and `57P01`. */
const readyForQuery = Buffer.from('Z\0\0\0\x05I', 'latin1');
const fatalFields = Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection\0\0', 'latin1');
const fatal = Buffer.concat([Buffer.from([0x45, 0, 0, 0, fatalFields.length + 4]), fatalFields]);

/** Once a process of the server has ended, its clients know after they have read what has arrived. */
async function noticed(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await nextTurn();
}

async function backendOf(connection: Connection): Promise<number> {
  const [row] = await execute<{ pid: number }>(connection, 'select pg_backend_pid() as pid');
  assert.ok(row);
  return row.pid;
}

async function terminate(storage: Storage, backend: number): Promise<void> {
  const rows = await execute(storage.reader, `select pg_terminate_backend(${backend}, 5000) as terminated`);
  assert.deepEqual(rows, [{ terminated: true }]);
}

async function userIds(storage: Pick<Storage, 'reader'>): Promise<string[]> {
  const rows = await execute<{ user_id: string }>(storage.reader, 'select user_id from developers order by user_id');
  return rows.map((row) => row.user_id);
}
