import { copyFileSync, cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { execute } from '../execute.ts';
import { packTar } from '../reproducible-tar.ts';
import { type BuildParts, type ProgramTree, writeProgram } from './program-tree.ts';

/** Packs the archive for linux-x64: unpack it anywhere, and run `bin/app-registry`. */
export function packArchive({ folder }: ProgramTree, { scratch, version, out, time }: BuildParts): void {
  const name = `app-registry-${version}-linux-x64`;
  const root = join(scratch, name);
  cpSync(folder, root, { recursive: true });
  mkdirSync(join(root, 'bin'));
  writeProgram(join(root, 'bin/app-registry'), 'app-registry.sh');
  for (const file of ['README.md', 'app-registry.service']) {
    copyFileSync(new URL(`../files/${file}`, import.meta.url), join(root, file));
  }
  const tar = join(out, `${name}.tar`);
  packTar(tar, [name], { cwd: scratch, time });
  execute(['gzip', '--no-name', tar], { cwd: out });
}
