import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { describe } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { forEachEngine, postgres, sqlite, sqliteInMemory } from '@appregistrar/testkit/engines/engines';
import { alterDatabase, emptiedStorage, execute, storageTest } from '@appregistrar/testkit/storage/storage-test';
import { developerRow } from '../../test/storage/sample-rows.ts';
import { openStorage } from './open-storage.ts';
import { defineInsert } from './query.ts';
import type { Storage } from './storage.ts';

const insertDeveloper = defineInsert('developers');

/** What a storage has reported since. */
function observed(storage: Storage) {
  const reports = { commits: [] as { seconds: number; writes: number }[], waits: [] as number[] };
  storage.observe({
    committed: (commit) => reports.commits.push(commit),
    waited: (seconds) => reports.waits.push(seconds),
    timelineChanged: () => {},
  });
  return reports;
}

function insertMany(storage: Storage, count: number): Promise<unknown> {
  const rows = Array.from({ length: count }, (_, at) =>
    developerRow({ user_id: `user_${at}`, email: `${'x'.repeat(1_000)}@example.com` }),
  );
  return storage.write((transaction) => transaction.insertNew('developers', rows));
}

forEachEngine((engine) => {
  storageTest(engine, 'each commit is reported with its duration', async (storage) => {
    const { commits } = observed(storage);
    const startedAt = performance.now();
    await storage.write((transaction) => insertDeveloper(transaction, developerRow()));
    const passed = (performance.now() - startedAt) / 1_000;
    assert.equal(commits.length, 1);
    const [{ seconds, writes }] = commits as [(typeof commits)[0]];
    assert.equal(writes, 1);
    assert.ok(seconds > 0 && seconds < passed, `${seconds} of ${passed}`);
  });

  storageTest(engine, 'the size of the database grows with its contents', async (storage) => {
    const before = await storage.measures.databaseBytes();
    await insertMany(storage, 1_000);
    const grown = (await storage.measures.databaseBytes()) - before;
    assert.ok(grown > 900_000 && grown < 10_000_000, String(grown));
  });
});

describe('on SQLite', () => {
  storageTest(sqlite, 'a commit reports how many writes shared it', async (storage) => {
    const { commits, waits } = observed(storage);
    const ids = Array.from({ length: 20 }, (_, at) => `user_${at}`);
    await Promise.all(
      ids.map((id) => storage.write((transaction) => insertDeveloper(transaction, developerRow({ user_id: id })))),
    );
    assert.deepEqual(
      commits.map(({ writes }) => writes),
      [20],
    );
    assert.deepEqual(waits, []);
  });

  storageTest(sqlite, 'the size of the log and the free space are those of the files', async (storage, url) => {
    const file = url.slice('sqlite:'.length);
    await insertMany(storage, 1_000);
    const walBytes = await storage.measures.walBytes?.();
    assert.ok(walBytes && walBytes > 900_000);
    assert.equal(walBytes, statSync(`${file}-wal`).size);
    const free = await storage.measures.diskFreeBytes?.();
    assert.ok(free && free > 0);
  });

  storageTest(sqliteInMemory, 'an in-memory database has a size but no log, disk or backup', async (storage) => {
    assert.ok((await storage.measures.databaseBytes()) > 10_000);
    assert.deepEqual(Object.keys(storage.measures), ['databaseBytes', 'tables']);
  });
});

describe('on PostgreSQL', () => {
  const onStorage = emptiedStorage(postgres);

  storageTest(postgres, "the duration of a commit includes the server's response", async (storage) => {
    const { commits } = observed(storage);
    await storage.write(async (transaction) => {
      const body = 'begin perform pg_sleep(0.05); return null; end';
      await execute(transaction, `create function slow() returns trigger language plpgsql as '${body}'`);
      await execute(
        transaction,
        `create constraint trigger slow after insert on developers
         deferrable initially deferred for each row execute function slow()`,
      );
      await insertDeveloper(transaction, developerRow());
    });
    assert.ok(commits[0] && commits[0].seconds >= 0.05);
  });

  onStorage('a rolled back write is not reported as a commit', async (storage) => {
    const { commits } = observed(storage);
    await assert.rejects(storage.write((transaction) => execute(transaction, 'no statement')));
    assert.deepEqual(commits, []);
  });

  storageTest(postgres, 'waits for a connection are timed, and current ones counted', async (storage) => {
    await openAllConnections(storage);
    const { waits } = observed(storage);
    const { held, release } = holdConnections(storage, 10);
    await held;
    assert.deepEqual(waits, [], 'an idle connection needs no wait');
    const eleventh = storage.write((transaction) => insertDeveloper(transaction, developerRow()));
    await nextTurn();
    assert.deepEqual(await storage.measures.waiting?.(), { write: 1, read: 0, list: 0 });
    assert.deepEqual(waits, []);
    await release();
    await eleventh;
    assert.deepEqual(await storage.measures.waiting?.(), { write: 0, read: 0, list: 0 });
    assert.equal(waits.length, 1);
    assert.ok(waits[0] && waits[0] > 0, String(waits));
  });

  onStorage('the clock of a server on this machine is neither ahead nor behind', async (storage) => {
    const offsetMs = await storage.measures.clockOffsetMs?.();
    assert.ok(offsetMs !== undefined && Math.abs(offsetMs) < 3_600_000, String(offsetMs));
  });

  storageTest(postgres, 'the offset of a server clock that is ahead is measured', async (storage, url) => {
    await execute(
      storage.reader,
      `create function clock_timestamp() returns timestamptz language sql as
        'select pg_catalog.clock_timestamp() + interval ''80 days'''`,
    );
    await alterDatabase(storage, url, 'set search_path = public, pg_catalog');
    const other = await openStorage(url);
    const offsetMs = (await other.measures.clockOffsetMs?.()) ?? 0;
    await other.close();
    assert.ok(Math.abs(offsetMs - 80 * 86_400_000) < 3_600_000, String(offsetMs));
  });

  storageTest(postgres, 'a query that waits for a connection is reported too', async (storage) => {
    const { waits } = observed(storage);
    await Promise.all(Array.from({ length: 12 }, () => execute(storage.reader, 'select 1')));
    // One connection has been open since the start.
    assert.equal(waits.length, 11);
  });

  storageTest(postgres, 'the sizes of tables are known in a schema of any name', async (storage, url) => {
    await execute(storage.reader, 'create schema "App-Registry"');
    const other = await openStorage(`${url}&options=-c%20search_path%3D"App-Registry"`, { create: true });
    const sizes = await other.measures.tables();
    assert.deepEqual(Object.keys(sizes), Object.keys(await storage.measures.tables()));
    assert.ok((sizes.apps?.bytes ?? 0) > 0);
    await other.close();
  });
});

async function openAllConnections(storage: Storage): Promise<void> {
  const { held, release } = holdConnections(storage, 10);
  await held;
  await release();
}

/** Starts writes that each hold a connection. */
function holdConnections(storage: Storage, count: number): { held: Promise<unknown>; release: () => Promise<unknown> } {
  const end = Promise.withResolvers<void>();
  const begun = Array.from({ length: count }, () => Promise.withResolvers<void>());
  const writes = begun.map(({ resolve }) =>
    storage.write(async (transaction) => {
      await execute(transaction, 'select 1');
      resolve();
      await end.promise;
    }),
  );
  return {
    held: Promise.all(begun.map(({ promise }) => promise)),
    release: () => {
      end.resolve();
      return Promise.all(writes);
    },
  };
}
