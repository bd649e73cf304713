import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { execute, storageTest } from '@appregistrar/testkit/storage/storage-test';
import { developerIds, developerRow, storeDevelopers } from '../../../test/storage/sample-rows.ts';
import { openStorage } from '../open-storage.ts';
import { defineInsert } from '../query.ts';
import { StorageUnavailable, UnusableDatabase } from '../storage-failure.ts';
import type { DeveloperRow } from '../tables.ts';
import { openSqliteDatabase } from './sqlite-database.ts';

const insertDeveloper = defineInsert('developers');

storageTest(sqlite, 'a write waits for the lock of another connection, but reads do not', async (storage, url) => {
  const other = new DatabaseSync(url.slice('sqlite:'.length));
  other.exec('begin immediate');
  let isWritten = false;
  const write = storeDevelopers(storage, 'user_1').then(() => (isWritten = true));
  for (let read = 0; read < 20; read += 1) assert.deepEqual(await developerIds(storage.reader), []);
  assert.equal(isWritten, false);
  other.close();
  await write;
  assert.deepEqual(await developerIds(storage.reader), ['user_1']);
});

test('a database that no process has open is one file', async () => {
  const { url, drop } = await sqlite.createDatabase();
  const [one, other] = [await openStorage(url, { create: true }), await openStorage(url)];
  await storeDevelopers(one, 'user_1');
  await other.close();
  await one.close();
  assert.deepEqual(await readdir(dirname(url.slice('sqlite:'.length))), ['registry.db']);
  await drop();
});

storageTest(sqlite, 'the log of a large write is truncated by a later write', async (storage, url) => {
  const log = `${url.slice('sqlite:'.length)}-wal`;
  const large = developerRow({ user_id: 'user_large', first_name: 'x'.repeat(20_000_000) });
  await storage.write((transaction) => insertDeveloper(transaction, large));
  assert.ok((await stat(log)).size > 20_000_000);
  // Once it is copied into the file, beside the writes that come meanwhile.
  const isLong = async () => (await stat(log)).size > 16 * 1024 * 1024;
  while (await isLong()) await storage.ping();
});

storageTest(sqlite, 'on a full disk a write that does not fit is unavailable, and others succeed', async (storage) => {
  const limitPages = (pages: number) =>
    storage.write((transaction) => execute(transaction, `pragma max_page_count = ${pages}`));
  const large = developerRow({ user_id: 'user_large', first_name: 'x'.repeat(1_000_000) });
  const insert = (row: DeveloperRow) => storage.write((transaction) => insertDeveloper(transaction, row));
  await limitPages(100);
  const rows = [developerRow(), developerRow({ user_id: 'user_2' }), large];
  const outcomes = await Promise.allSettled(rows.map(insert));
  const [, , outcome] = outcomes;
  assert.ok(outcome?.status === 'rejected' && outcome.reason instanceof StorageUnavailable, String(outcome));
  const stored = rows.filter((_, at) => outcomes[at]?.status === 'fulfilled').map((row) => row.user_id);
  assert.deepEqual(await developerIds(storage.reader), stored);
  await limitPages(10_000);
  await insert(large);
});

storageTest(sqlite, 'a ping writes, so that it fails whenever writes do', async (storage, url) => {
  const log = `${url.slice('sqlite:'.length)}-wal`;
  const before = (await stat(log)).size;
  await storage.ping();
  assert.ok((await stat(log)).size > before);
});

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sqlite-'));
});
after(() => rm(folder, { recursive: true }));

describe('a location without a usable SQLite database', () => {
  test('another kind of file is refused and left unchanged', async () => {
    const file = join(folder, 'notes.txt');
    const text = 'These are notes, and not a database. '.repeat(100);
    await writeFile(file, text);
    await assert.rejects(openStorage(`sqlite:${file}`, { create: true }), isUnusable(file, /file is not a database/));
    assert.equal(await readFile(file, 'utf8'), text);
  });

  test('a folder that cannot be created is refused, and a folder in place of the file', async () => {
    await writeFile(join(folder, 'file'), '');
    const below = join(folder, 'file', 'below', 'registry.db');
    await assert.rejects(openStorage(`sqlite:${below}`, { create: true }), isUnusable(below, /ENOTDIR/));
    await assert.rejects(openStorage(`sqlite:${folder}`), isUnusable(folder, /unable to open database file/));
  });

  test('a folder or file that cannot be written is refused', async () => {
    const [closed, opened] = [join(folder, 'closed'), join(folder, 'open')];
    await mkdir(opened);
    await (await openStorage(`sqlite:${opened}/registry.db`, { create: true })).close();
    await chmod(folder, 0o755);
    await chmod(opened, 0o777);
    await chmod(`${opened}/registry.db`, 0o444);
    await mkdir(closed, { mode: 0o555 });
    await asUnprivilegedUser(async () => {
      for (const file of [`${closed}/registry.db`, `${closed}/data/registry.db`, `${opened}/registry.db`]) {
        await assert.rejects(
          openStorage(`sqlite:${file}`, { create: true }),
          isUnusable(file, /unable to open|EACCES|readonly database/),
        );
      }
    });
  });

  test('a missing folder is created, with access only for its owner', async () => {
    const storage = await openStorage(`sqlite:${join(folder, 'new', 'data', 'registry.db')}`, { create: true });
    await storage.ping();
    await storage.close();
    assert.equal((await stat(join(folder, 'new'))).mode & 0o777, 0o700);
  });
});

const gigabytePages = 262_144;
const short = { cache_size: -16_384, wal_autocheckpoint: 1_000, journal_size_limit: 16_777_216 };
const long = { cache_size: -65_536, wal_autocheckpoint: 16_000, journal_size_limit: 100_663_296 };

for (const [what, pages, settings] of [
  ['a gigabyte', gigabytePages, short],
  ['more than a gigabyte', gigabytePages + 1, long],
] as const) {
  test(`the writer of ${what} has the cache and the log for that`, async () => {
    const file = join(folder, `${pages}.db`);
    await makeFile(file, pages);
    const database = openSqliteDatabase(file, { readOnly: false });
    const found = Object.keys(settings).map((name) => [
      name,
      ...Object.values(database.prepare(`pragma ${name}`).get() ?? {}),
    ]);
    database.close();
    assert.deepEqual(Object.fromEntries(found), settings);
  });
}

test('a database file is treated as data: its triggers cannot call our functions, and its catalogue cannot be written', async () => {
  const file = join(folder, 'prepared.db');
  const prepared = new DatabaseSync(file);
  prepared.exec(`create table t (a); create trigger r after insert on t begin select our_function(new.a); end`);
  prepared.close();
  const database = openSqliteDatabase(file, { readOnly: false });
  database.function('our_function', (value) => assert.fail(`called by the file with ${value}`));
  assert.throws(() => database.exec('insert into t values (1)'), /unsafe use of our_function/);
  const writing = `pragma writable_schema = on; update sqlite_master set sql = replace(sql, 'a', 'b')`;
  assert.throws(() => database.exec(writing), /may not be modified/);
  database.close();
});

/** A sparse file, which takes no disk space. */
async function makeFile(file: string, pages: number): Promise<void> {
  const database = new DatabaseSync(file);
  database.exec('create table anything (id integer)');
  database.close();
  const handle = await open(file, 'r+');
  const count = Buffer.alloc(4);
  count.writeUInt32BE(pages);
  // The offset of the number of pages in the header of a database.
  await handle.write(count, 0, 4, 28);
  await handle.truncate(pages * 4_096);
  await handle.close();
}

/** Runs the work as a user without root's exemption from permissions. */
async function asUnprivilegedUser(work: () => Promise<void>): Promise<void> {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(65_534);
  try {
    await work();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

function isUnusable(file: string, reason: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof UnusableDatabase);
    assert.ok(error.message.includes(file), error.message);
    assert.match(error.message, reason);
    return true;
  };
}
