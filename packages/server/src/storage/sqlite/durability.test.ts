import assert from 'node:assert/strict';
import { copyFile, stat } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, mock, test } from 'node:test';
import { on, sqlite } from '@appregistrar/testkit/engines/engines';
import { startChild } from '@appregistrar/testkit/storage/later-schemas';
import { collect, execute, storageTest } from '@appregistrar/testkit/storage/storage-test';
import { developerRow } from '../../../test/storage/sample-rows.ts';
import { findDeveloper } from '../../features/developers/developer-queries.ts';
import { openStorage } from '../open-storage.ts';
import { defineInsert, defineStream } from '../query.ts';
import type { Storage } from '../storage.ts';
import { StorageUnavailable, UnknownOutcome } from '../storage-failure.ts';

const insertDeveloper = defineInsert('developers');
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
    for (const [at, storage] of storages.entries()) {
      await storage.write((transaction) => insertDeveloper(transaction, developerRow({ user_id: `user_${3 + at}` })));
    }
    for (const { reader } of storages) {
      const stored = await execute<{ user_id: string }>(reader, 'select user_id from developers order by user_id');
      assert.deepEqual(
        stored.map(({ user_id }) => user_id),
        ['user_1', 'user_2', 'user_3', 'user_4'],
      );
    }
    for (const storage of storages) await storage.close();
    await drop();
  });
});

storageTest(sqlite, 'an opening beside another one does not wait for its long reads', async (storage, url) => {
  await storage.write((transaction) => insertDeveloper(transaction, developerRow()));
  const list = storage.snapshot((snapshot) => streamDevelopers(snapshot, {}));
  assert.ok(!(await list.next()).done);
  const { size } = await stat(logOf(url));
  const other = await openStorage(url);
  assert.ok(size > 0 && (await stat(logOf(url))).size >= size, 'the log is as it was');
  await other.write((transaction) => insertDeveloper(transaction, developerRow({ user_id: 'user_2' })));
  await collect(list);
  await other.close();
  assert.ok(await findDeveloper(storage.reader, { userId: 'user_2' }));
});

describe('a failed sync', () => {
  afterEach(() => mock.restoreAll());

  test(
    'leaves the outcome of each write of its commit unknown, and nothing is used or closed after it',
    on(sqlite),
    async () => {
      const { url, drop } = await sqlite.createMigratedDatabase();
      const failures: string[] = [];
      const storage = await openStorage(url, { onSyncFailed: (reason) => failures.push(reason) });
      await storage.write((transaction) => insertDeveloper(transaction, developerRow()));
      failCommits(1034);
      const write = (user_id: string) =>
        storage.write((transaction) => insertDeveloper(transaction, developerRow({ user_id })));
      for (const { status, reason } of (await Promise.allSettled([
        write('user_2'),
        write('user_3'),
      ])) as PromiseRejectedResult[])
        assert.ok(status === 'rejected' && reason instanceof UnknownOutcome);
      mock.restoreAll();
      for (const attempt of attempts(storage)) await assert.rejects(attempt(), StorageUnavailable);
      assert.deepEqual(failures, ['the log could not be synced']);
      await storage.close();
      assert.ok((await stat(logOf(url))).size > 0, 'closing would have removed it');
      await drop();
    },
  );

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

/** The next commit fails with this result code of SQLite, as the disk makes it. The fault-injection programs use real ones. */
function failCommits(errcode: number): void {
  const { exec } = DatabaseSync.prototype;
  mock.method(DatabaseSync.prototype, 'exec', function fail(this: DatabaseSync, sql: string) {
    if (sql === 'commit') throw Object.assign(new Error('disk error'), { code: 'ERR_SQLITE_ERROR', errcode });
    exec.call(this, sql);
  });
}

/** Every way to use a database. */
function attempts(storage: Storage): (() => Promise<unknown>)[] {
  return [
    () => storage.ping(),
    () => storage.write((transaction) => insertDeveloper(transaction, developerRow({ user_id: 'user_4' }))),
    () => findDeveloper(storage.reader, { userId: 'user_1' }),
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
