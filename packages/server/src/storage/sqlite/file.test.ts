import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { sqlite } from '@appregistrar/testkit/engines/engines';
import { execute, storageTest } from '@appregistrar/testkit/storage/storage-test';
import { developerRow } from '../../../test/storage/sample-rows.ts';
import { findDeveloper } from '../../features/developers/developer-queries.ts';
import { openStorage } from '../open-storage.ts';
import { defineInsert } from '../query.ts';
import { StorageUnavailable, UnusableDatabase } from '../storage-failure.ts';

const insertDeveloper = defineInsert('developers');

storageTest(sqlite, 'a write waits for the lock of another connection, but reads do not', async (storage, url) => {
  const other = new DatabaseSync(url.slice('sqlite:'.length));
  other.exec('begin immediate');
  let isWritten = false;
  const write = storage
    .write((transaction) => insertDeveloper(transaction, developerRow()))
    .then(() => (isWritten = true));
  for (let read = 0; read < 20; read += 1)
    assert.equal(await findDeveloper(storage.reader, { userId: 'user_1' }), null);
  assert.equal(isWritten, false);
  other.close();
  await write;
  assert.ok(await findDeveloper(storage.reader, { userId: 'user_1' }));
});

test('a database that no process has open is one file', async () => {
  const { url, drop } = await sqlite.createDatabase();
  const [one, other] = [await openStorage(url, { create: true }), await openStorage(url)];
  await one.write((transaction) => insertDeveloper(transaction, developerRow()));
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

describe('SQLite on a full disk', () => {
  storageTest(
    sqlite,
    'a write that does not fit fails as unavailable, and the next one that fits succeeds',
    async (storage) => {
      const limitPages = (pages: number) =>
        storage.write((transaction) => execute(transaction, `pragma max_page_count = ${pages}`));
      const large = developerRow({ user_id: 'user_large', first_name: 'x'.repeat(1_000_000) });
      await limitPages(100);
      const outcomes = await Promise.allSettled(
        [developerRow(), large, developerRow({ user_id: 'user_2' })].map((row) =>
          storage.write((transaction) => insertDeveloper(transaction, row)),
        ),
      );
      const [, outcome] = outcomes;
      assert.ok(outcome?.status === 'rejected' && outcome.reason instanceof StorageUnavailable, String(outcome));
      for (const [at, userId] of ['user_1', 'user_large', 'user_2'].entries()) {
        const stored = await findDeveloper(storage.reader, { userId });
        assert.equal(stored !== null, outcomes[at]?.status === 'fulfilled', userId);
      }
      await limitPages(10_000);
      await storage.write((transaction) => insertDeveloper(transaction, large));
    },
  );
});

storageTest(sqlite, 'a ping writes, so that it fails whenever writes do', async (storage, url) => {
  const log = `${url.slice('sqlite:'.length)}-wal`;
  const before = (await stat(log)).size;
  await storage.ping();
  assert.ok((await stat(log)).size > before);
});

describe('a location without a usable SQLite database', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sqlite-'));
  });
  after(() => rm(folder, { recursive: true }));

  test('another kind of file is rejected and left unchanged', async () => {
    const file = join(folder, 'notes.txt');
    const text = 'These are notes, and not a database. '.repeat(100);
    await writeFile(file, text);
    await assert.rejects(openStorage(`sqlite:${file}`, { create: true }), isUnusable(file, /file is not a database/));
    assert.equal(await readFile(file, 'utf8'), text);
  });

  test('a folder that cannot be created is rejected', async () => {
    await writeFile(join(folder, 'file'), '');
    const file = join(folder, 'file', 'below', 'registry.db');
    await assert.rejects(openStorage(`sqlite:${file}`, { create: true }), isUnusable(file, /ENOTDIR/));
  });

  test('a folder or file that cannot be written is rejected', async () => {
    const [closed, open] = [join(folder, 'closed'), join(folder, 'open')];
    await mkdir(open);
    await (await openStorage(`sqlite:${open}/registry.db`, { create: true })).close();
    await chmod(folder, 0o755);
    await chmod(open, 0o777);
    await chmod(`${open}/registry.db`, 0o444);
    await mkdir(closed, { mode: 0o555 });
    await asUnprivilegedUser(async () => {
      for (const file of [`${closed}/registry.db`, `${closed}/data/registry.db`, `${open}/registry.db`]) {
        await assert.rejects(
          openStorage(`sqlite:${file}`, { create: true }),
          isUnusable(file, /unable to open|EACCES|readonly database/),
        );
      }
    });
  });

  test('a folder is rejected', async () => {
    await mkdir(join(folder, 'folder'));
    await assert.rejects(
      openStorage(`sqlite:${join(folder, 'folder')}`),
      isUnusable(join(folder, 'folder'), /unable to open database file/),
    );
  });

  test('a missing folder is created, with access only for its owner', async () => {
    const storage = await openStorage(`sqlite:${join(folder, 'new', 'data', 'registry.db')}`, { create: true });
    await storage.ping();
    await storage.close();
    assert.equal((await stat(join(folder, 'new'))).mode & 0o777, 0o700);
  });
});

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
