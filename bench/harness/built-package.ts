import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Bench } from './case.ts';
import { onAllCores } from './machine.ts';
import { type Mechanism, switchOff } from './speed.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));

/** The launcher of the built package, without the source that a checkout would run. */
export function builtLauncher(bench: Bench, without?: Mechanism): string {
  const built = join(bench.folder, without ? `without-${without.name}` : 'package');
  const launcher = join(built, 'bin/app-registry.js');
  if (existsSync(launcher)) return launcher;
  // Another build needs the console as well.
  const server = without ? patchedServer(bench, without) : join(repository, 'packages/server');
  run(bench, ['npm', 'run', '--silent', 'build', '-w', '@appregistrar/console'], repository);
  run(bench, [process.execPath, 'build.ts'], server);
  for (const part of ['package.json', 'dist', 'bin'])
    cpSync(join(server, part), join(built, part), { recursive: true });
  return launcher;
}

/** A copy of the server without a mechanism, in a copy of the repository that links everything else. */
function patchedServer({ folder }: Bench, mechanism: Mechanism): string {
  const copy = join(folder, `source-without-${mechanism.name}`);
  const server = join(copy, 'packages/server');
  mkdirSync(join(copy, 'packages'), { recursive: true });
  cpSync(join(repository, 'packages/server'), server, {
    recursive: true,
    filter: (path) => !/\/(?:node_modules|dist)$/.test(path),
  });
  for (const linked of [
    '.git',
    'docs',
    'node_modules',
    'package.json',
    'tsconfig.base.json',
    'packages/client',
    'packages/console',
  ]) {
    symlinkSync(join(repository, linked), join(copy, linked));
  }
  switchOff(mechanism, join(server, 'src'));
  return server;
}

function run({ cores }: Bench, words: string[], cwd: string): void {
  const [program = '', ...args] = [...onAllCores(cores), ...words];
  execFileSync(program, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
}
