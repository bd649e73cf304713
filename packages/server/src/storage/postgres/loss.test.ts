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
import {
  backendOf,
  delayCommits,
  raise,
  terminate,
  terminateInCommit,
} from '../../../test/storage/postgres-backends.ts';
import { appRow, developerIds, developerRow, storeDevelopers } from '../../../test/storage/sample-rows.ts';
import { findApp, findAppForUpdate, insertApp, updateInstallationCount } from '../../features/apps/app-queries.ts';
import { openStorage } from '../open-storage.ts';
import { type Connection, defineInsert, defineStream, type Snapshot } from '../query.ts';
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
          await assert.rejects(storeDevelopers(other, 'user_1'), StorageUnavailable);
          await assert.rejects(developerIds(other.reader), StorageUnavailable);
        });
        await storeDevelopers(other, 'user_2');
        assert.deepEqual(await developerIds(storage.reader), ['user_2']);
        await other.close();
      },
    );
  }
});

describe('a lost connection to PostgreSQL', () => {
  const onStorage = emptiedStorage(postgres);

  for (const [when, last] of [
    ['during a write', (transaction: Connection) => insertDeveloper(transaction, developerRow({ user_id: 'user_2' }))],
    ['before the commit was sent', noticed],
  ] as const) {
    onStorage(`${when}: unavailable, nothing stored, and the next write succeeds`, async (storage) => {
      const write = storage.write(async (transaction) => {
        await insertDeveloper(transaction, developerRow());
        await terminate(storage, await backendOf(transaction));
        await last(transaction);
      });
      await assert.rejects(write, StorageUnavailable);
      await storeDevelopers(storage, 'user_3');
      assert.deepEqual(await developerIds(storage.reader), ['user_3']);
    });
  }

  storageTest(postgres, 'during the commit: the outcome is reported as unknown', async (storage) => {
    await delayCommits(storage, 'developers', 9);
    const backend = Promise.withResolvers<number>();
    const write = storage.write(async (transaction) => {
      await insertDeveloper(transaction, developerRow());
      backend.resolve(await backendOf(transaction));
    });
    const refused = assert.rejects(write, UnknownOutcome);
    await terminateInCommit(storage, await backend.promise);
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
    assert.deepEqual(await developerIds(storage.reader), []);
  });

  onStorage('during a snapshot: unavailable, and the next snapshot succeeds', async (storage) => {
    await storeDevelopers(storage, ...Array.from({ length: 30 }, (_, at) => `user_${10 + at}`));
    const streamIds = defineStream((db) => db.selectFrom('developers').select('user_id').orderBy('user_id'), {
      rowsMax: 10,
    });
    const work = async function* (snapshot: Snapshot) {
      const [backend] = await snapshot.rows(
        sql<{ pid: number }>`select pg_backend_pid() as pid`.compile(snapshot.builder),
      );
      for await (const ids of streamIds(snapshot, {})) {
        await terminate(storage, backend?.pid ?? 0);
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
    const write = () => storage.write(developerIds);
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

describe('a lost race on PostgreSQL', () => {
  const onStorage = emptiedStorage(postgres);

  onStorage('a deadlock is resolved by repeating one write', async (storage) => {
    await storage.write(async (transaction) => {
      await insertDeveloper(transaction, developerRow());
      for (const id of ['app_1', 'app_2']) await insertApp(transaction, appRow({ id }));
    });
    let attempts = 0;
    const bothHoldOne = Promise.withResolvers<void>();
    const writes: Promise<void>[] = [];
    const countUp = (first: string, second: string) =>
      storage.write(async (transaction) => {
        // The victim could return before the other write gets its lock, and become the victim again.
        if (attempts === 2) await Promise.any(writes);
        await findAppForUpdate(transaction, { id: first });
        attempts += 1;
        if (attempts === 2) bothHoldOne.resolve();
        await bothHoldOne.promise;
        await findAppForUpdate(transaction, { id: second });
        for (const id of [first, second])
          await updateInstallationCount(transaction, { id, by: 1, revisionNonce: 'nonce' });
      });
    writes.push(countUp('app_1', 'app_2'), countUp('app_2', 'app_1'));
    await Promise.all(writes);
    assert.equal(attempts, 3);
    assert.equal((await findApp(storage.reader, { id: 'app_1' }))?.installation_count, 2);
    assert.equal((await findApp(storage.reader, { id: 'app_2' }))?.installation_count, 2);
  });

  onStorage('a serialization failure is retried and leaves nothing of the first attempt', async (storage) => {
    let attempts = 0;
    await storage.write(async (transaction) => {
      attempts += 1;
      await insertDeveloper(transaction, developerRow({ user_id: `user_${attempts}` }));
      if (attempts < 3) await raise(transaction, '40001');
    });
    assert.deepEqual(await developerIds(storage.reader), ['user_3']);
  });

  onStorage('a write that loses every time finally fails as unavailable', async (storage) => {
    let attempts = 0;
    const write = storage.write(async (transaction) => {
      attempts += 1;
      await raise(transaction, '40001');
    });
    await assert.rejects(write, StorageUnavailable);
    assert.equal(attempts, 6);
  });

  onStorage('a write that ignores a failed statement is not reported as stored', async (storage) => {
    const write = storage.write(async (transaction) => {
      await insertDeveloper(transaction, developerRow());
      await insertDeveloper(transaction, developerRow()).catch(() => {});
    });
    await assert.rejects(write, /a statement failed in the transaction/);
    assert.deepEqual(await developerIds(storage.reader), []);
  });
});

storageTest(
  postgres,
  'each statement of a write sees the latest commits at every default isolation level of the server',
  async (storage, url) => {
    await alterDatabase(storage, url, 'set default_transaction_isolation = serializable');
    const other = await openStorage(url);
    await other.write(async (transaction) => {
      assert.deepEqual(await developerIds(transaction), []);
      await storeDevelopers(storage, 'user_1');
      assert.deepEqual(await developerIds(transaction), ['user_1']);
    });
    await other.close();
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
