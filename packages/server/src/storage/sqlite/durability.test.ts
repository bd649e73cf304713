import assert from 'node:assert/strict';
import { copyFileSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { copyFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, mock, test } from 'node:test';
import { on, sqlite } from '@appregistrar/testkit/engines/engines';
import { startChild } from '@appregistrar/testkit/storage/later-schemas';
import { collect, execute, storageTest } from '@appregistrar/testkit/storage/storage-test';
import { developerIds, developerRow, storeDevelopers } from '../../../test/storage/sample-rows.ts';
import { openStorage } from '../open-storage.ts';
import { defineStream } from '../query.ts';
import type { Storage } from '../storage.ts';
import { StorageUnavailable, UnknownOutcome } from '../storage-failure.ts';
import { asCommitFailure } from './sqlite-failure.ts';

const streamDevelopers = defineStream((db) => db.selectFrom('developers').select('user_id').orderBy('user_id'));

/** Stores two developers, and is killed before it can close the database. */
const killedAfterCommits = `
  const storage = await openStorage(url);
  const { developerRow } = await import(${JSON.stringify(new URL('../../../test/storage/sample-rows.ts', import.meta.url).href)});
  for (const user_id of ['user_1', 'user_2'])
    await storage.write((transaction) => transaction.insertNew('developers', [developerRow({ user_id })]));
  process.kill(process.pid, 'SIGKILL');`;

describe('an opening after a process was killed', () => {
  test('copies the log into the file before anything is read or written', on(sqlite), async () => {
    const { url, drop } = await sqlite.createMigratedDatabase();
    await assert.rejects(startChild(url, killedAfterCommits).ended, /SIGKILL/);
    assert.ok((await stat(logOf(url))).size > 0);
    const storage = await openStorage(url);
    assert.equal((await stat(logOf(url))).size, 0);
    // A copy of the file alone: what a loss of power leaves of it.
    await copyFile(fileOf(url), `${fileOf(url)}-copy`);
    const copy = new DatabaseSync(`${fileOf(url)}-copy`, { readOnly: true });
    assert.equal(copy.prepare('select user_id from developers').all().length, 2);
    copy.close();
    await storage.close();
    await drop();
  });

  test('by two processes at once loses nothing', on(sqlite), async () => {
    const { url, drop } = await sqlite.createMigratedDatabase();
    await assert.rejects(startChild(url, killedAfterCommits).ended, /SIGKILL/);
    const storages = await Promise.all([openStorage(url), openStorage(url)]);
    for (const [at, storage] of storages.entries()) await storeDevelopers(storage, `user_${3 + at}`);
    for (const { reader } of storages)
      assert.deepEqual(await developerIds(reader), ['user_1', 'user_2', 'user_3', 'user_4']);
    for (const storage of storages) await storage.close();
    await drop();
  });
});

storageTest(sqlite, 'an opening beside another one does not wait for its long reads', async (storage, url) => {
  await storeDevelopers(storage, 'user_1');
  const list = storage.snapshot((snapshot) => streamDevelopers(snapshot, {}));
  assert.ok(!(await list.next()).done);
  const { size } = await stat(logOf(url));
  const other = await openStorage(url);
  assert.ok(size > 0 && (await stat(logOf(url))).size >= size, 'the log is as it was');
  await storeDevelopers(other, 'user_2');
  await collect(list);
  await other.close();
  assert.deepEqual(await developerIds(storage.reader), ['user_1', 'user_2']);
});

describe('a failed sync', () => {
  afterEach(() => mock.restoreAll());

  test('leaves the outcome of its writes unknown, and nothing is used or closed after it', on(sqlite), async () => {
    const { url, drop } = await sqlite.createMigratedDatabase();
    const failures: string[] = [];
    const storage = await openStorage(url, { onSyncFailed: (reason) => failures.push(reason) });
    await storeDevelopers(storage, 'user_1');
    failCommits(1034);
    const outcomes = await Promise.allSettled([storeDevelopers(storage, 'user_2'), storeDevelopers(storage, 'user_3')]);
    for (const outcome of outcomes)
      assert.ok(outcome.status === 'rejected' && outcome.reason instanceof UnknownOutcome);
    mock.restoreAll();
    for (const attempt of attempts(storage)) await assert.rejects(attempt(), StorageUnavailable);
    assert.deepEqual(failures, ['the log could not be synced']);
    await storage.close();
    assert.ok((await stat(logOf(url))).size > 0, 'closing would have removed it');
    await drop();
  });

  storageTest(
    sqlite,
    'is not what a full disk is: that stores nothing, and the next write succeeds',
    async (storage) => {
      failCommits(13);
      await assert.rejects(storage.ping(), StorageUnavailable);
      mock.restoreAll();
      await storage.ping();
    },
  );
});

/** An error of `node:sqlite` with an extended result code. */
const failed = (errcode: number) => Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR', errcode });

test('the outcome of a commit is unknown after any I/O error but a failed write, which SQLite undoes', () => {
  const [fsync, truncate, write, full] = [1034, 1546, 778, 13].map(failed);
  assert.ok(asCommitFailure(fsync) instanceof UnknownOutcome);
  assert.ok(asCommitFailure(truncate) instanceof UnknownOutcome);
  assert.equal(asCommitFailure(write), write);
  assert.equal(asCommitFailure(full), full);
});

/** The next commit fails with this result code of SQLite, as the disk makes it. The fault-injection programs use real ones. */
function failCommits(errcode: number): void {
  const { exec } = DatabaseSync.prototype;
  mock.method(DatabaseSync.prototype, 'exec', function fail(this: DatabaseSync, sql: string) {
    if (sql === 'commit') throw failed(errcode);
    exec.call(this, sql);
  });
}

const losses: [what: string, lose: (file: string) => void, reason: RegExp][] = [
  ['the file is removed', (file) => rmSync(file), /registry\.db was removed/],
  ['the file is renamed', (file) => renameSync(file, `${file}.old`), /registry\.db was removed/],
  ['another file takes its place', replace, /registry\.db was replaced/],
  ['the folder is removed', (file) => rmSync(dirname(file), { recursive: true }), /registry\.db was removed/],
  ['the log is removed', (file) => rmSync(`${file}-wal`), /registry\.db-wal was removed/],
  ['the index of the log is removed', (file) => rmSync(`${file}-shm`), /registry\.db-shm was removed/],
  ['a shorter file is written over it', (file) => truncateSync(file, 4_096), /registry\.db was overwritten/],
];

describe('nothing is read or stored, and the loss is reported once, after', () => {
  for (const [what, lose, reason] of losses) {
    lossTest(what, async ({ storage, file, lost }) => {
      lose(file);
      for (const attempt of attempts(storage)) await assert.rejects(attempt(), isLost(reason));
      assert.equal(lost.length, 1);
      assert.match(lost[0] ?? '', reason);
      await storage.close();
      assert.equal(lost.length, 1);
    });
  }
});

lossTest(
  'a lost database stays lost when its file returns, because another may have been used meanwhile',
  async ({ storage, file }) => {
    renameSync(file, `${file}.old`);
    await assert.rejects(storage.ping(), StorageUnavailable);
    renameSync(`${file}.old`, file);
    for (const attempt of attempts(storage)) await assert.rejects(attempt(), StorageUnavailable);
    await storage.close();
    const reopened = await openStorage(`sqlite:${file}`);
    assert.deepEqual(await developerIds(reopened.reader), ['user_1']);
    await reopened.close();
  },
);

lossTest('the outcome of a write is unknown if the file is replaced before its commit', async ({ storage, file }) => {
  const write = storage.write(async (transaction) => {
    await transaction.insertNew('developers', [developerRow({ user_id: 'user_2' })]);
    replace(file);
  });
  await assert.rejects(write, UnknownOutcome);
  await storage.close();
});

lossTest(
  'a refusal by a write whose file was removed before it is reported as unavailable',
  async ({ storage, file }) => {
    rmSync(file);
    const refusal = storage.write(async () => {
      throw new Error('not found');
    });
    await assert.rejects(refusal, StorageUnavailable);
    await storage.close();
  },
);

lossTest('a database opened through a link is lost when the link leads elsewhere', async ({ storage: other, file }) => {
  await other.close();
  const link = join(dirname(file), 'link.db');
  symlinkSync(file, link);
  const storage = await openStorage(`sqlite:${link}`);
  await storage.ping();
  copyFileSync(file, `${file}.copy`);
  rmSync(link);
  symlinkSync(`${file}.copy`, link);
  await assert.rejects(storage.ping(), isLost(/link\.db was replaced/));
  await storage.close();
});

lossTest('a database that another program vacuums is not lost', async ({ storage, file, lost }) => {
  const large = developerRow({ user_id: 'user_large', first_name: 'x'.repeat(4_000_000) });
  await storage.write((transaction) => transaction.insertNew('developers', [large]));
  await storage.write((transaction) => execute(transaction, "delete from developers where user_id = 'user_large'"));
  const other = new DatabaseSync(file);
  other.exec('vacuum; pragma wal_checkpoint(truncate)');
  other.close();
  for (const attempt of attempts(storage)) await attempt();
  assert.deepEqual(lost, []);
  await storage.close();
});

lossTest('closing a storage is not reported as a loss', async ({ storage, lost }) => {
  await storage.close();
  await assert.rejects(storage.ping(), StorageUnavailable);
  assert.deepEqual(lost, []);
});

/** Declares a test with a new database that has one developer. The test closes it. */
function lossTest(guarantee: string, check: (opened: Opened) => Promise<void>): void {
  test(guarantee, on(sqlite), async () => {
    const { url, drop } = await sqlite.createMigratedDatabase();
    const lost: string[] = [];
    const storage = await openStorage(url, { onLost: (reason) => lost.push(reason) });
    await storeDevelopers(storage, 'user_1');
    // Moves everything into the file, so that it has its full size.
    const other = new DatabaseSync(fileOf(url));
    other.exec('pragma wal_checkpoint(truncate)');
    other.close();
    await storage.ping();
    await check({ storage, file: fileOf(url), lost });
    // One of the tests removes the folder.
    await drop().catch(() => {});
  });
}

interface Opened {
  storage: Storage;
  file: string;
  /** The losses that were reported. */
  lost: string[];
}

/** Every way to use a database. */
function attempts(storage: Storage): (() => Promise<unknown>)[] {
  return [
    () => storage.ping(),
    () => storeDevelopers(storage, `user_${Math.random()}`),
    () => developerIds(storage.reader),
    () => storage.requestLookups.findToken('hash'),
    () => storage.snapshot((snapshot) => streamDevelopers(snapshot, {})).next(),
  ];
}

function fileOf(url: string): string {
  return url.slice('sqlite:'.length);
}

function logOf(url: string): string {
  return `${fileOf(url)}-wal`;
}

function replace(file: string): void {
  writeFileSync(`${file}.new`, '');
  renameSync(`${file}.new`, file);
}

function isLost(reason: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof StorageUnavailable, String(error));
    assert.match(error.message, reason);
    return true;
  };
}
