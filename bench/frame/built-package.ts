import { execFileSync } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Bench } from './case.ts';
import { onAllCores } from './machine.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));

/** The launcher of the built package, without the source that a checkout would run. */
export function builtLauncher({ folder, cores }: Bench): string {
  const built = join(folder, 'package');
  const launcher = join(built, 'bin/app-registry.js');
  if (existsSync(launcher)) return launcher;
  for (const workspace of ['@appregistrar/console', '@appregistrar/server']) {
    const [program = '', ...args] = [...onAllCores(cores), 'npm', 'run', '--silent', 'build', '-w', workspace];
    execFileSync(program, args, { cwd: repository, stdio: ['ignore', 'ignore', 'inherit'] });
  }
  for (const part of ['package.json', 'dist', 'bin']) {
    cpSync(join(repository, 'packages/server', part), join(built, part), { recursive: true });
  }
  return launcher;
}
