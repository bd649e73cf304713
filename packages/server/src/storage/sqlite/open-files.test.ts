import assert from 'node:assert/strict';
import { copyFileSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { execute } from '@appregistrar/testkit/storage/storage-test';
import { developerRow } from '../../../test/storage/sample-rows.ts';
import { findDeveloper } from '../../features/developers/developer-queries.ts';
import { openStorage } from '../open-storage.ts';
import { defineInsert, defineList, defineStream } from '../query.ts';
import type { Storage } from '../storage.ts';
import { StorageUnavailable, UnknownOutcome } from '../storage-failure.ts';

const insertDeveloper = defineInsert('developers');
const listDevelopers = defineList((db) => db.selectFrom('developers').select('user_id'));

const streamDevelopers = defineStream((db) => db.selectFrom('developers').select('user_id'));

const losses: [what: string, lose: (file: string) => void, reason: RegExp][] = [
  ['the file is removed', (file) => rmSync(file), /registry\.db was removed/],
  ['the file is renamed', (file) => renameSync(file, `${file}.old`), /registry\.db was removed/],
  ['another file takes its place', replace, /registry\.db was replaced/],
  ['the folder is removed', (file) => rmSync(dirname(file), { recursive: true }), /registry\.db was removed/],
  ['the log is removed', (file) => rmSync(`${file}-wal`), /registry\.db-wal was removed/],
  ['the index of the log is removed', (file) => rmSync(`${file}-shm`), /registry\.db-shm was removed/],
  ['a shorter file is written over it', (file) => truncateSync(file, 4_096), /registry\.db was overwritten/],
];

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'open-files-'));
});
after(() => rm(folder, { recursive: true }));

describe('nothing is read or stored, and the loss is reported once, after', () => {
  for (const [what, lose, reason] of losses) {
    test(what, async () => {
      const { storage, file, lost } = await openNew();
      lose(file);
      for (const attempt of attempts(storage)) await assert.rejects(attempt(), isLost(reason));
      assert.equal(lost.length, 1);
      assert.match(lost[0] ?? '', reason);
      await storage.close();
      assert.equal(lost.length, 1);
    });
  }
});

test('a lost database stays lost when its file returns, because another may have been used meanwhile', async () => {
  const { storage, file } = await openNew();
  renameSync(file, `${file}.old`);
  await assert.rejects(storage.ping(), StorageUnavailable);
  renameSync(`${file}.old`, file);
  for (const attempt of attempts(storage)) await assert.rejects(attempt(), StorageUnavailable);
  await storage.close();
  const reopened = await openStorage(`sqlite:${file}`);
  assert.deepEqual(await listDevelopers(reopened.reader, {}), [{ user_id: 'user_1' }]);
  await reopened.close();
});

test('the outcome of a write is unknown if the file is replaced before its commit', async () => {
  const { storage, file } = await openNew();
  const write = storage.write(async (transaction) => {
    await insertDeveloper(transaction, developerRow({ user_id: 'user_2' }));
    replace(file);
  });
  await assert.rejects(write, UnknownOutcome);
  await storage.close();
});

test('a refusal by a write whose file was removed before it is reported as unavailable', async () => {
  const { storage, file } = await openNew();
  rmSync(file);
  const refusal = storage.write(async () => {
    throw new Error('not found');
  });
  await assert.rejects(refusal, StorageUnavailable);
  await storage.close();
});

test('a database opened through a link is lost when the link leads elsewhere', async () => {
  const { storage: other, file } = await openNew();
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

test('a database that another program vacuums is not lost', async () => {
  const { storage, file, lost } = await openNew();
  const large = developerRow({ user_id: 'user_large', first_name: 'x'.repeat(4_000_000) });
  await storage.write((transaction) => insertDeveloper(transaction, large));
  await storage.write((transaction) => execute(transaction, "delete from developers where user_id = 'user_large'"));
  const other = new DatabaseSync(file);
  other.exec('vacuum; pragma wal_checkpoint(truncate)');
  other.close();
  for (const attempt of attempts(storage)) await attempt();
  assert.deepEqual(lost, []);
  await storage.close();
});

test('closing a storage is not reported as a loss', async () => {
  const { storage, lost } = await openNew();
  await storage.close();
  await assert.rejects(storage.ping(), StorageUnavailable);
  assert.deepEqual(lost, []);
});

/** A new database with one developer. */
async function openNew(): Promise<{ storage: Storage; file: string; lost: string[] }> {
  const file = join(await mkdtemp(join(folder, 'database-')), 'registry.db');
  const lost: string[] = [];
  const storage = await openStorage(`sqlite:${file}`, { create: true, onLost: (reason) => lost.push(reason) });
  await storage.write((transaction) => insertDeveloper(transaction, developerRow()));
  // Moves everything into the file, so that it has its full size.
  const other = new DatabaseSync(file);
  other.exec('pragma wal_checkpoint(truncate)');
  other.close();
  await storage.ping();
  return { storage, file, lost };
}

/** Every way to use a database. */
function attempts(storage: Storage): (() => Promise<unknown>)[] {
  return [
    () => storage.ping(),
    () =>
      storage.write((transaction) => insertDeveloper(transaction, developerRow({ user_id: `user_${Math.random()}` }))),
    () => findDeveloper(storage.reader, { userId: 'user_1' }),
    () => storage.requestLookups.findToken('hash'),
    () => storage.snapshot((snapshot) => streamDevelopers(snapshot, {})).next(),
  ];
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
