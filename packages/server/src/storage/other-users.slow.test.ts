import assert from 'node:assert/strict';
import { chmodSync, chownSync, copyFileSync, mkdtempSync, readdirSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { Program } from '@appregistrar/testkit/programs/program';
import { withoutOtherUsers } from '../../test/programs/other-users.ts';
import { openStorage } from './open-storage.ts';

const main = new URL('../cli/main.ts', import.meta.url).pathname;
const [owner, group, other] = [23_001, 23_000, 23_002];

describe('a database that belongs to another user of the group', { skip: withoutOtherUsers() }, () => {
  let folder: string;
  let database: string;
  const run = (uid: number, ...args: string[]) =>
    Program.run([process.execPath, main, ...args, '--database-url', `sqlite:${database}`], { uid, gid: group });

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'users-'));
    database = join(folder, 'registry.db');
    await (await openStorage(`sqlite:${database}`, { create: true })).close();
    for (const path of [folder, database]) chownSync(path, owner, group);
    // The group may create files beside the database, and only read it.
    chmodSync(folder, 0o770);
    chmodSync(database, 0o640);
  });
  afterEach(() => rm(folder, { recursive: true }));

  test('is left as it was by commands that may not write it', async () => {
    const commands = [['app', 'list'], ['check'], ['export'], ['migrate'], ['restore', database]];
    for (const { status, stderr } of await Promise.all(commands.map((command) => run(other, ...command)))) {
      assert.equal(status, 1);
      assert.match(stderr, /may not write the file \(EACCES\)\. Run the command as its owner\./);
    }
    assert.deepEqual(readdirSync(folder), ['registry.db']);
  });

  test('is backed up by one who may only read it, and then opened by its owner', async () => {
    const { status, stderr } = await run(other, 'backup', join(folder, 'copy.db'));
    assert.deepEqual([status, stderr], [0, '']);
    assert.deepEqual(readdirSync(folder).toSorted(), ['copy.db', 'registry.db', 'registry.db.last-backup']);
    assert.equal((await run(owner, 'app', 'list')).status, 0);
  });

  for (const [who, uid] of [
    ['root', 0],
    ['a user of the group', other],
    ['the owner', owner],
  ] as const) {
    test(`has the time of a backup by ${who} reported to its owner`, async () => {
      assert.equal((await run(uid, 'backup', join(folder, 'copy.db'))).stderr, '');
      const time = statSync(`${database}.last-backup`);
      const isReadable = time.uid === owner || (time.gid === group && (time.mode & 0o040) !== 0);
      assert.ok(isReadable, `${time.uid}:${time.gid} ${time.mode.toString(8)}`);
      // The next backup, by the owner, records its time too.
      const { stderr } = await run(owner, 'backup', join(folder, 'next.db'));
      assert.equal(stderr, '');
      assert.equal(statSync(`${database}.last-backup`).uid, owner);
    });
  }

  test('is backed up without its time where that cannot be written, with a warning', async () => {
    chmodSync(folder, 0o750);
    const elsewhere = mkdtempSync(join(tmpdir(), 'copies-'));
    chownSync(elsewhere, other, group);
    const { status, stderr } = await run(other, 'backup', join(elsewhere, 'copy.db'));
    await rm(elsewhere, { recursive: true });
    assert.equal(status, 0);
    assert.match(stderr, /^Warning: The backup is complete, but its time cannot be recorded in .*EACCES/);
    assert.deepEqual(readdirSync(folder), ['registry.db']);
  });

  test('still belongs to that user after root has restored a backup', async () => {
    const copy = join(folder, 'copy.db');
    await run(owner, 'backup', copy);
    assert.equal((await run(0, 'restore', copy)).status, 0);
    const { uid, gid, mode } = statSync(database);
    assert.deepEqual([uid, gid, mode & 0o777], [owner, group, 0o640]);
    assert.equal((await run(owner, 'app', 'list')).status, 0);
  });

  test('with the log of a killed process is not recovered by one who may only read it', async () => {
    const storage = await openStorage(`sqlite:${database}`);
    await storage.ping();
    const killed = join(folder, 'killed.db');
    for (const end of ['', '-wal']) {
      copyFileSync(database + end, killed + end);
      chmodSync(killed + end, 0o644);
    }
    const files = readdirSync(folder);
    await storage.close();
    database = killed;
    assert.match((await run(other, 'backup', join(folder, 'copy.db'))).stderr, /may not write the file/);
    assert.deepEqual(readdirSync(folder).toSorted(), files.filter((file) => !/registry.db-/.test(file)).toSorted());
  });
});
