import assert from 'node:assert/strict';
import {
  copyFile,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, beforeEach, describe, test } from 'node:test';
import { everything } from '@appregistrar/testkit/registry/recorded';
import { promotingTrigger } from '@appregistrar/testkit/storage/schema-objects';
import { changeSchema, execute } from '@appregistrar/testkit/storage/storage-test';
import { appRow, developerRow, installationRow } from '../../test/storage/sample-rows.ts';
import { backupDatabase, restoreDatabase } from './backup.ts';
import { findEpoch } from './kernel-queries.ts';
import { openStorage } from './open-storage.ts';
import type { Storage } from './storage.ts';
import { BackupError, DatabaseNotFound, UnusableDatabase } from './storage-failure.ts';

const at = new Date('2026-03-01T09:30:00.000Z');

describe('on SQLite', () => {
  let folder: string;
  let url: string;
  let copy: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'backup-'));
  });
  after(() => rm(folder, { recursive: true }));
  beforeEach(async () => {
    const own = await mkdtemp(join(folder, 'test-'));
    url = `sqlite:${join(own, 'registry.db')}`;
    copy = join(own, 'copy.db');
  });

  describe('a backup', () => {
    test('contains everything written, in one file that only its owner can read', async () => {
      const storage = await filled();
      await backupDatabase(url, copy, at);
      assert.deepEqual(await everythingOf(`sqlite:${copy}`), await everything(storage));
      await storage.close();
      assert.equal((await stat(copy)).mode & 0o777, 0o600);
    });

    test('has its time reported by every open database, through any path; before the first backup, no time is known', async () => {
      const storage = await filled();
      await symlink(url.slice('sqlite:'.length), `${copy}-link`);
      const linked = await openStorage(`sqlite:${copy}-link`);
      const known = () => Promise.all([storage, linked].map(({ measures }) => measures.lastBackupAt?.()));
      assert.deepEqual(await known(), [0, 0]);
      await backupDatabase(`sqlite:${copy}-link`, copy, at);
      assert.deepEqual(await known(), [at.getTime(), at.getTime()]);
      await refused(backupDatabase(url, copy, new Date()), /already exists/);
      assert.deepEqual(await known(), [at.getTime(), at.getTime()]);
      await writeFile(`${url.slice('sqlite:'.length)}.last-backup`, '');
      assert.deepEqual(await known(), [0, 0]);
      await Promise.all([storage.close(), linked.close()]);
    });

    test('of a database that this program is too old for is refused, and leaves no file', async () => {
      await (await filled()).close();
      new DatabaseSync(url.slice('sqlite:'.length)).exec('update registry_schema set version = 900, usable_from = 900');
      await assert.rejects(backupDatabase(url, copy, at), UnusableDatabase);
      await assert.rejects(stat(copy), { code: 'ENOENT' });
    });

    test('never overwrites a file, and leaves no file when it fails', async () => {
      const storage = await filled();
      await writeFile(copy, 'previous');
      const files = await readdir(join(copy, '..'));
      await refused(backupDatabase(url, copy, at), /already exists/);
      await refused(backupDatabase(url, join(copy, '..', 'missing', 'copy.db'), at), /cannot be created/);
      await refused(backupDatabase('sqlite::memory:', `${copy}2`, at), /in-memory/);
      await assert.rejects(backupDatabase(`${url}x`, `${copy}2`, at), DatabaseNotFound);
      await refused(backupDatabase('postgres://db/registry', `${copy}2`, at), /SQLite only.*pg_dump/);
      assert.deepEqual(await readdir(join(copy, '..')), files);
      assert.equal(await readFile(copy, 'utf8'), 'previous');
      await storage.close();
    });
  });

  describe('a restored backup', () => {
    test('contains what was backed up, under a new epoch, and the replaced database is retained', async () => {
      const storage = await filled();
      await backupDatabase(url, copy, at);
      const { registry_epoch: epoch, ...backedUp } = await everything(storage);
      await storage.write((transaction) => execute(transaction, 'delete from installations'));
      const later = await everything(storage);
      await storage.close();

      const { replaced } = await restoreDatabase(url, copy, at);
      const { registry_epoch: newEpoch, ...restored } = await everythingOf(url);
      assert.deepEqual(restored, backedUp);
      assert.notDeepEqual(newEpoch, epoch);
      assert.ok(replaced);
      assert.deepEqual(await everythingOf(`sqlite:${replaced}`), later);
      const left = (await readdir(join(copy, '..'))).filter((file) => file.includes('part'));
      assert.deepEqual(left, []);
    });

    test('is where the symbolic link of the database leads to, also where that has no file yet', async () => {
      await (await filled()).close();
      await backupDatabase(url, copy, at);
      const [volume, link] = [join(copy, '../volume'), join(copy, '../link.db')];
      await mkdir(volume);
      await symlink('volume/real.db', link);
      for (const replaced of [null, `${await realpath(volume)}/real.db.replaced-2026-03-01T09-30-00.000Z`]) {
        assert.deepEqual(await restoreDatabase(`sqlite:${link}`, copy, at), { replaced });
        assert.equal(await readlink(link), 'volume/real.db');
        assert.equal((await everythingOf(`sqlite:${volume}/real.db`)).apps?.length, 1);
      }
    });

    test('is read from a copy of the files of a killed process, and nothing is created beside it', async () => {
      const storage = await filled();
      const location = url.slice('sqlite:'.length);
      const killed = join(copy, '../killed');
      await mkdir(killed);
      for (const end of ['', '-wal', '-shm']) await copyFile(location + end, `${killed}/registry.db${end}`);
      await storage.close();
      await copyFile(location, `${killed}/closed.db`);
      const files = await readdir(killed);
      for (const name of ['registry.db', 'closed.db']) {
        await restoreDatabase(url, join(killed, name), new Date());
        assert.equal((await everythingOf(url)).apps?.length, 1);
        assert.deepEqual(await readdir(killed), files);
      }
    });

    test('names what a killed one has retained, and removes its other name of a database that it has not replaced', async () => {
      await (await filled()).close();
      await backupDatabase(url, copy, at);
      const location = url.slice('sqlite:'.length);
      const [unreplaced, retained] = [`${location}.replaced-1.part`, `${location}.replaced-2.part`];
      await link(location, unreplaced);
      await writeFile(retained, 'the database before');
      const { replaced } = await restoreDatabase(url, copy, at);
      assert.equal(await readFile(`${location}.replaced-2`, 'utf8'), 'the database before');
      const names = (await readdir(dirname(location))).filter((name) => name.includes('.replaced-'));
      assert.deepEqual(names.toSorted(), ['registry.db.replaced-2', basename(replaced ?? '')].toSorted());
    });

    test('has a new epoch each time, and can be restored where no database exists', async () => {
      await (await filled()).close();
      await backupDatabase(url, copy, at);
      const epochs = new Set<string | undefined>();
      for (const name of ['a', 'b']) {
        assert.deepEqual(await restoreDatabase(`${url}${name}`, copy, at), { replaced: null });
        const storage = await openStorage(`${url}${name}`);
        epochs.add((await findEpoch(storage.reader, {}))?.epoch);
        await storage.close();
      }
      assert.equal(epochs.size, 2);
    });

    test('is not mixed with the log of a removed database', async () => {
      const storage = await filled();
      await backupDatabase(url, copy, at);
      const location = url.slice('sqlite:'.length);
      await storage.write((transaction) => execute(transaction, 'delete from installations'));
      const log = await readFile(`${location}-wal`);
      await storage.close();
      await rm(location);
      await writeFile(`${location}-wal`, log);
      await restoreDatabase(url, copy, at);
      assert.equal((await everythingOf(url)).installations?.length, 1);
    });

    test('never replaces a database that is in use', async () => {
      const storage = await filled();
      await backupDatabase(url, copy, at);
      await refused(restoreDatabase(url, copy, at), /in use.*Stop every server/);
      await storage.close();
      await restoreDatabase(url, copy, at);
    });

    const inFile = (file: string, sql: string) => new DatabaseSync(file).exec(sql);
    /** What makes a copy of a backup useless. */
    const damages: [what: string, damage: (file: string) => unknown, why: RegExp][] = [
      ['is missing', (file) => rm(file), /no file/],
      ['is not a database', (file) => writeFile(file, 'Dear Ada, '.repeat(1_000)), /not a database/],
      ['is a part of a database', (file) => truncate(file, 50_000), /cannot be restored|damaged/],
      [
        'is the database of another program',
        async (file) => {
          await rm(file);
          inFile(file, 'create table letters (text)');
        },
        /does not contain a registry/,
      ],
      [
        'has references to missing rows',
        (file) => inFile(file, 'pragma foreign_keys = off; delete from developers'),
        /missing/,
      ],
      [
        'needs a newer program',
        (file) => inFile(file, 'update registry_schema set usable_from = 999'),
        /newer app-registry/,
      ],
      [
        'has a newer schema',
        (file) => inFile(file, 'update registry_schema set version = 999'),
        /version 999, which this app-registry is too old to check/,
      ],
      ['has a damaged index', (file) => changeSchema(`sqlite:${file}`, exchangedIndexes), /damaged: .*index/],
      [
        'has a foreign trigger',
        (file) => changeSchema(`sqlite:${file}`, promotingTrigger.sqlite),
        /The trigger promote on access_tokens /,
      ],
    ];
    for (const [what, damage, why] of damages) {
      test(`is refused if the file ${what}, and nothing changes`, async () => {
        await (await filled()).close();
        await backupDatabase(url, copy, at);
        await damage(copy);
        const before = await everythingOf(url);
        const files = await databases();
        await refused(restoreDatabase(url, copy, at), why);
        assert.deepEqual(await everythingOf(url), before);
        assert.deepEqual(await databases(), files);
      });
    }

    test('is refused on PostgreSQL', async () => {
      await refused(restoreDatabase('postgres://db/registry', copy, at), /SQLite only.*pg_restore/);
    });
  });

  /** Ignores the empty log that a reader leaves. */
  async function databases(): Promise<string[]> {
    return (await readdir(join(copy, '..'))).filter((file) => !/-(wal|shm)$/.test(file));
  }

  async function filled(): Promise<Storage> {
    const storage = await openStorage(url, { create: true });
    await storage.write(async (transaction) => {
      await transaction.insertNew('developers', [developerRow()]);
      await transaction.insertNew('apps', [appRow()]);
      await transaction.insertNew('installations', [installationRow()]);
    });
    return storage;
  }
});

/** Exchanges what two indexes of the same width hold: a lookup by one of them finds nothing, or the wrong rows. */
const exchangedIndexes = [
  'pragma writable_schema = on',
  `update sqlite_master set rootpage = (
     select sum(rootpage) from sqlite_master where name in ('apps_in_state_by_name', 'apps_of_developer_in_state')
   ) - rootpage
   where name in ('apps_in_state_by_name', 'apps_of_developer_in_state')`,
];

async function everythingOf(where: string) {
  const storage = await openStorage(where);
  const all = await everything(storage);
  await storage.close();
  return all;
}

async function refused(work: Promise<unknown>, why: RegExp): Promise<void> {
  await assert.rejects(work, (error) => {
    assert.ok(error instanceof BackupError, String(error));
    assert.match(error.message, why);
    assert.match(error.message, /Nothing was changed\.$/);
    return true;
  });
}
