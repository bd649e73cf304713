import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { describe } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { forEachEngine, postgres, sqlite, sqliteInMemory } from '@appregistrar/testkit/engines/engines';
import { alterDatabase, emptiedStorage, execute, storageTest } from '@appregistrar/testkit/storage/storage-test';
import { developerRow, storeDevelopers } from '../../test/storage/sample-rows.ts';
import { openStorage } from './open-storage.ts';
import type { Storage } from './storage.ts';
import { columns } from './tables.ts';

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

/** Stores a thousand developers of a kilobyte each. */
function insertMany(storage: Storage): Promise<unknown> {
  const rows = Array.from({ length: 1_000 }, (_, at) =>
    developerRow({ user_id: `user_${at}`, email: `${'x'.repeat(1_000)}@example.com` }),
  );
  return storage.write((transaction) => transaction.insertNew('developers', rows));
}

forEachEngine((engine) => {
  storageTest(engine, 'each commit is reported with its duration', async (storage) => {
    const { commits } = observed(storage);
    const startedAt = performance.now();
    await storeDevelopers(storage, 'user_1');
    const passed = (performance.now() - startedAt) / 1_000;
    assert.equal(commits.length, 1);
    const [{ seconds, writes }] = commits as [(typeof commits)[0]];
    assert.equal(writes, 1);
    assert.ok(seconds > 0 && seconds < passed, `${seconds} of ${passed}`);
  });

  storageTest(engine, 'the sizes of the database and of each table are estimated', async (storage) => {
    const before = await storage.measures.databaseBytes();
    await insertMany(storage);
    if (engine.name === 'postgres') await execute(storage.reader, 'analyze');
    const grown = (await storage.measures.databaseBytes()) - before;
    assert.ok(grown > 900_000 && grown < 10_000_000, String(grown));
    const sizes = await storage.measures.tables();
    assert.deepEqual(Object.keys(sizes).toSorted(), Object.keys(columns).toSorted());
    const { rows, bytes } = sizes.developers ?? { rows: 0, bytes: 0 };
    assert.deepEqual([rows, sizes.logos?.rows], [1_000, 0]);
    assert.ok(bytes > 900_000 && bytes < 10_000_000, String(bytes));
  });
});

describe('on SQLite', () => {
  storageTest(sqlite, 'a commit reports how many writes shared it', async (storage) => {
    const { commits, waits } = observed(storage);
    await Promise.all(Array.from({ length: 20 }, (_, at) => storeDevelopers(storage, `user_${at}`)));
    assert.deepEqual(
      commits.map(({ writes }) => writes),
      [20],
    );
    assert.deepEqual(waits, []);
  });

  storageTest(sqlite, 'the size of the log and the free space are those of the files', async (storage, url) => {
    await insertMany(storage);
    const walBytes = (await storage.measures.walBytes?.()) ?? 0;
    assert.ok(walBytes > 900_000);
    assert.equal(walBytes, statSync(`${url.slice('sqlite:'.length)}-wal`).size);
    assert.ok(((await storage.measures.diskFreeBytes?.()) ?? 0) > 0);
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
    const body = 'begin perform pg_sleep(0.05); return null; end';
    await storage.write((transaction) =>
      execute(
        transaction,
        `create function slow() returns trigger language plpgsql as '${body}';
         create constraint trigger slow after insert on developers
         deferrable initially deferred for each row execute function slow()`,
      ),
    );
    await storeDevelopers(storage, 'user_1');
    assert.ok(commits[1] && commits[1].seconds >= 0.05);
  });

  onStorage('a rolled back write is not reported as a commit', async (storage) => {
    const { commits } = observed(storage);
    await assert.rejects(storage.write((transaction) => execute(transaction, 'no statement')));
    assert.deepEqual(commits, []);
  });

  storageTest(postgres, 'waits for a connection are timed, and current ones counted', async (storage) => {
    await (await holdConnections(storage, 10))();
    const { waits } = observed(storage);
    const release = await holdConnections(storage, 10);
    assert.deepEqual(waits, [], 'an idle connection needs no wait');
    const eleventh = storeDevelopers(storage, 'user_1');
    await nextTurn();
    assert.deepEqual(await storage.measures.waiting?.(), { write: 1, read: 0, list: 0 });
    assert.deepEqual(waits, []);
    await release();
    await eleventh;
    assert.deepEqual(await storage.measures.waiting?.(), { write: 0, read: 0, list: 0 });
    assert.equal(waits.length, 1);
    assert.ok(waits[0] && waits[0] > 0, String(waits));
  });

  storageTest(postgres, 'a query that waits for a connection is reported too', async (storage) => {
    const { waits } = observed(storage);
    await Promise.all(Array.from({ length: 12 }, () => execute(storage.reader, 'select 1')));
    // One connection has been open since the start.
    assert.equal(waits.length, 11);
  });

  storageTest(postgres, 'the offset of a server clock that is ahead is measured', async (storage, url) => {
    assert.ok(Math.abs((await storage.measures.clockOffsetMs?.()) ?? Number.NaN) < 3_600_000);
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

  storageTest(postgres, 'the sizes of tables are known in a schema of any name', async (storage, url) => {
    await execute(storage.reader, 'create schema "App-Registry"');
    const other = await openStorage(`${url}&options=-c%20search_path%3D"App-Registry"`, { create: true });
    assert.ok(((await other.measures.tables()).apps?.bytes ?? 0) > 0);
    await other.close();
  });
});

/** Starts writes that each hold a connection. Returns what ends them. */
async function holdConnections(storage: Storage, count: number): Promise<() => Promise<unknown>> {
  const end = Promise.withResolvers<void>();
  const begun = Array.from({ length: count }, () => Promise.withResolvers<void>());
  const writes = begun.map(({ resolve }) =>
    storage.write(async (transaction) => {
      await execute(transaction, 'select 1');
      resolve();
      await end.promise;
    }),
  );
  await Promise.all(begun.map(({ promise }) => promise));
  return () => {
    end.resolve();
    return Promise.all(writes);
  };
}
