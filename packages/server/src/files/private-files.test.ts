import assert from 'node:assert/strict';
import { globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { writeNewFile } from '../cli/command-files.ts';
import { RejectsFile } from '../cli/commands/import-command.ts';
import { storeCredential } from '../cli/remote/token-store.ts';
import { backupDatabase, restoreDatabase } from '../storage/backup.ts';
import { openStorage } from '../storage/open-storage.ts';
import { replaceFile } from './private-files.ts';

const at = new Date('2026-03-01T09:30:00.000Z');
const source = fileURLToPath(new URL('..', import.meta.url));

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'files-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('under a mask that hides nothing', () => {
  test('every file is of its owner alone, also in a folder that others may enter, and so is every new folder', async () => {
    const mask = process.umask(0);
    try {
      await mkdir(join(folder, 'old'), { mode: 0o755 });
      const url = `sqlite:${folder}/old/registry.db`;
      const storage = await openStorage(url, { create: true });
      assertPrivate();
      await storage.ping();
      await backupDatabase(url, join(folder, 'old/copy.db'), at);
      await storage.close();
      await restoreDatabase(`sqlite:${folder}/restored/registry.db`, join(folder, 'old/copy.db'), at);
      await (await openStorage(`sqlite:${folder}/new/data/registry.db`, { create: true })).close();
      await writeNewFile(join(folder, 'old/export.jsonl'), (write) => write('{}\n'));
      const rejects = new RejectsFile(join(folder, 'old/rejects.jsonl'));
      await rejects.begin();
      assertPrivate();
      await rejects.write('{}\n');
      await rejects.finish();
      await rejects.close();
      const target = {
        url: 'https://ops.example.com',
        token: null,
        folder: join(folder, 'config'),
        hasDatabase: false,
      };
      await storeCredential(target, 'token');
      assertPrivate();
    } finally {
      process.umask(mask);
    }
  });

  function assertPrivate(): void {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(({ name }) => name !== 'old');
    const open = entries
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => (statSync(path).mode & 0o077) !== 0);
    assert.deepEqual(open, []);
  }
});

describe('a file that is replaced', () => {
  test('through symbolic links is the one that they lead to, also where nothing is yet, and nothing is left beside it', async () => {
    await mkdir(join(folder, 'volume'));
    await symlink('volume', join(folder, 'mounted'));
    await symlink('../volume/real', join(folder, 'mounted/link'));
    for (const text of ['one', 'two']) {
      await replaceFile(join(folder, 'mounted/link'), text);
      assert.equal(await readFile(join(folder, 'volume/real'), 'utf8'), text);
      assert.equal(await readlink(join(folder, 'volume/link')), '../volume/real');
      assert.deepEqual(readdirSync(join(folder, 'volume')).toSorted(), ['link', 'real']);
    }
  });

  test('stays as it was if it cannot be replaced', async () => {
    await mkdir(join(folder, 'file'));
    await assert.rejects(replaceFile(join(folder, 'file'), 'text'), { code: 'EISDIR' });
    assert.deepEqual(readdirSync(folder), ['file']);
  });
});

test('what others put in the place of a part is not followed, and not written', async () => {
  const file = join(folder, 'export.jsonl');
  await writeFile(join(folder, 'victim'), 'as it was');
  await symlink('victim', `${file}.${process.pid}.part`);
  await writeNewFile(file, (write) => write('{}\n'));
  assert.equal(await readFile(join(folder, 'victim'), 'utf8'), 'as it was');
  assert.equal(await readFile(file, 'utf8'), '{}\n');
});

test('no other part of the server creates or renames a file', () => {
  // The first one writes a setting of the kernel, the second one opens its own standard output.
  const excepted = ['features/logos/draw-image-process.ts', 'log.ts'];
  const creating =
    /import (?!type)[^;]*\b(?:open|openSync|writeFile|writeFileSync|appendFile|copyFile|cp|rename|renameSync|createWriteStream|symlink)\b[^;]*from 'node:fs/;
  const files = globSync('**/*.ts', { cwd: source, exclude: ['**/*.test.ts', 'files/**'] });
  assert.ok(files.includes('storage/backup.ts'));
  const found = files.filter((file) => creating.test(readFileSync(join(source, file), 'utf8')));
  assert.deepEqual(found.toSorted(), excepted);
});
