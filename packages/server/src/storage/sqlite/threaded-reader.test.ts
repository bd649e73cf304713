import assert from 'node:assert/strict';
import { readdirSync, readlinkSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { sql } from 'kysely';
import { StorageUnavailable } from '../failure.ts';
import { openStorage } from '../open-storage.ts';
import { findDeveloper } from '../queries/developers.ts';
import { insert } from '../query.ts';
import type { Reader } from '../statement.ts';
import type { Storage } from '../storage.ts';
import { startChild } from '../testing/child-process.ts';
import { developerRow } from '../testing/default-rows.ts';
import { execute, storageTest } from '../testing/storage-test.ts';
import { ThreadedReader } from './threaded-reader.ts';
import { ReaderThreads } from './threads/reader-threads.ts';

const insertDeveloper = insert('developers');

describe('reads beside slow ones', () => {
  storageTest(sqlite, 'are served, whether started before, after or together with them', async (storage) => {
    const ended: string[] = [];
    const read = async (name: string, count: number) => {
      await countTo(storage.reader, count);
      ended.push(name);
    };
    const reads = [read('before', 1), read('slow', 5_000_000), read('together', 1)];
    await new Promise(setImmediate);
    reads.push(read('after', 1), read('other slow', 5_000_000));
    await Promise.all([reads[0], reads[2], reads[3], findDeveloper(storage.reader, { userId: 'user_1' })]);
    assert.deepEqual(ended.toSorted(), ['after', 'before', 'together']);
    await Promise.all(reads);
  });

  storageTest(sqlite, 'do not hold up the thread that serves', async (storage) => {
    let isDone = false;
    const slow = countTo(storage.reader, 2_000_000).finally(() => (isDone = true));
    let turns = 0;
    for (; !isDone; turns += 1) await new Promise(setImmediate);
    await slow;
    // A read in this thread would take one turn.
    assert.ok(turns > 100, `${turns} turns of the event loop`);
  });
});

describe('a thread that ends', () => {
  let storage: Storage;
  let file: string;
  let drop: () => Promise<void>;
  before(async () => {
    const database = await sqlite.createMigratedDatabase();
    storage = await openStorage(database.url);
    file = database.url.slice('sqlite:'.length);
    drop = database.drop;
  });
  after(async () => {
    await storage.close();
    await drop();
  });

  test('refuses its reads as unavailable, and the next read uses another thread', async () => {
    const workers: Worker[] = [];
    const record = (worker: Worker) => workers.push(worker);
    process.on('worker', record);
    const reader = new ThreadedReader(file, storage.reader.builder, new ReaderThreads());
    assert.equal(await countTo(reader, 3), 3);
    const refused = assert.rejects(countTo(reader, 2_000_000), StorageUnavailable);
    await new Promise(setImmediate);
    await workers[0]?.terminate();
    await refused;
    assert.equal(await countTo(reader, 4), 4);
    process.off('worker', record);
    assert.equal(workers.length, 2);
    await reader.close();
    await workers[1]?.terminate();
  });
});

describe('closing a storage', () => {
  test('waits for the reads that are running, refuses later ones, and leaves no file open', async () => {
    const { url, drop } = await sqlite.createMigratedDatabase();
    const storage = await openStorage(url);
    const folder = dirname(url.slice('sqlite:'.length));
    const slow = countTo(storage.reader, 1_000_000);
    await new Promise(setImmediate);
    const ended: string[] = [];
    const close = storage.close().then(() => ended.push('close'));
    await assert.rejects(countTo(storage.reader, 1), StorageUnavailable);
    assert.equal(await slow.finally(() => ended.push('read')), 1_000_000);
    await close;
    assert.deepEqual(ended, ['read', 'close']);
    assert.deepEqual(openFilesIn(folder), []);
    assert.deepEqual(readdirSync(folder), ['registry.db']);
    await drop();
  });
});

test('a process stays alive for a read that is running, and for nothing else', async () => {
  const { url, drop } = await sqlite.createMigratedDatabase();
  const child = startChild(
    url,
    `const storage = await openStorage(url);
    const { sql } = await import('kysely');
    const [row] = await storage.reader.rows(sql.raw('select 7 as seven').compile(storage.reader.builder));
    console.log(row.seven);
    process.exitCode = 0;`,
  );
  assert.equal((await child.nextOutput()).trim(), '7');
  await child.ended;
  await drop();
});

describe('a failed read', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'threaded-reader-'));
  });
  after(() => rm(folder, { recursive: true }));

  storageTest(sqlite, 'rejects with the error of the driver, and fails no other', async (storage) => {
    const [failed, read] = await Promise.allSettled([
      execute(storage.reader, 'select 1 from nowhere'),
      countTo(storage.reader, 2),
    ]);
    assert.ok(failed.status === 'rejected');
    const { message, code, errcode } = failed.reason;
    assert.deepEqual(
      { message, code, errcode },
      { message: 'no such table: nowhere', code: 'ERR_SQLITE_ERROR', errcode: 1 },
    );
    assert.deepEqual(read, { status: 'fulfilled', value: 2 });
  });

  storageTest(sqlite, 'that would write is unavailable', async (storage) => {
    const write = execute(storage.reader, `delete from developers where user_id = 'user_1'`);
    await assert.rejects(write, (error) => error instanceof StorageUnavailable && /readonly/.test(error.message));
  });

  storageTest(sqlite, 'of a file that cannot be opened is unavailable, and succeeds once it can', async (storage) => {
    const file = join(folder, 'registry.db');
    const reader = new ThreadedReader(file, storage.reader.builder);
    await assert.rejects(countTo(reader, 1), StorageUnavailable);
    await storage.write((transaction) => insertDeveloper(transaction, developerRow()));
    const opened = await openStorage(`sqlite:${file}`, { create: true });
    assert.equal(await countTo(reader, 1), 1);
    await reader.close();
    await opened.close();
  });

  test('of a file that is no database rejects', async () => {
    const file = join(folder, 'notes.txt');
    await writeFile(file, 'These are notes, and not a database. '.repeat(100));
    const { builder } = (await openStorage('sqlite::memory:', { create: true })).reader;
    const reader = new ThreadedReader(file, builder);
    await assert.rejects(countTo(reader, 1), /file is not a database/);
    await reader.close();
  });
});

storageTest(sqlite, 'rows are the same as in the thread that writes, of every type', async (storage) => {
  const text = `select 1 as a, 1.5 as b, 'text' as c, null as d, x'00ff' as e, 9007199254740991 as f, 1 as a`;
  const inWriter = await storage.write((transaction) => execute(transaction, text));
  assert.deepEqual(await execute(storage.reader, text), inWriter);
});

/** Takes about a tenth of a microsecond for each. */
async function countTo(reader: Reader, count: number): Promise<number | undefined> {
  const numbers = sql<{ count: number }>`with recursive numbers (number) as
    (select 1 union all select number + 1 from numbers where number < ${sql.raw(String(count))})
    select count(*) as count from numbers`;
  const [row] = await reader.rows(numbers.compile(reader.builder));
  return row?.count;
}

function openFilesIn(folder: string): string[] {
  const links = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(join('/proc/self/fd', fd));
    } catch {
      return '';
    }
  });
  return links.filter((link) => link.startsWith(folder));
}
