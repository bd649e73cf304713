import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { packTar } from './reproducible-tar.ts';

test('the same files make the same bytes, regardless of their order and times', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tar-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const pack = (name: string, files: string[], mode: number) => {
    const root = join(folder, name, 'root');
    mkdirSync(root, { recursive: true });
    for (const [index, file] of files.entries()) {
      writeFileSync(join(root, file), file);
      chmodSync(join(root, file), mode);
      utimesSync(join(root, file), index + files.length, index);
    }
    packTar(join(folder, `${name}.tar`), ['root'], { cwd: join(folder, name), time: 1_700_000_000 });
    return readFileSync(join(folder, `${name}.tar`));
  };
  const one = pack('one', ['a', 'b', 'c'], 0o755);
  assert.deepEqual(pack('other', ['c', 'b', 'a'], 0o755), one);
  assert.notDeepEqual(pack('third', ['a', 'b', 'c'], 0o644), one);
});
