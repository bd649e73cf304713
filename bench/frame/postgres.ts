import { chmodSync, chownSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyPostgresPrograms } from 'app-registry-testkit/engines/postgres-programs';
import { type PostgresServer, startPostgres } from 'app-registry-testkit/engines/postgres-server';
import { type Cores, onAllCores } from './machine.ts';

/** What the server of the tests goes without, and whoever keeps data does not. */
const safe = ['fsync=on', 'synchronous_commit=on', 'full_page_writes=on', 'autovacuum=on'];
const nobody = 65_534;

/**
 * PostgreSQL as the tests start it, but with everything on that keeps data safe, on every core, and with its data
 * in a folder that outlives it. What the last of its settings says holds.
 */
export function startSafePostgres(folder: string, cores: Cores | null): Promise<PostgresServer> {
  const programs = join(folder, 'programs');
  const data = join(folder, 'data');
  mkdirSync(programs, { recursive: true });
  if (!existsSync(join(programs, 'native'))) copyPostgresPrograms(programs);
  if (process.getuid?.() === 0) for (const path of [folder, programs]) chownSync(path, nobody, nobody);
  const native = join(programs, 'native/bin');
  const everywhere = onAllCores(cores).join(' ');
  const settings = safe.map((setting) => `-c ${setting}`).join(' ');
  writeScript(join(programs, 'initdb'), `test -f '${data}/PG_VERSION' || exec '${native}/initdb' -D '${data}' "$@"`);
  writeScript(join(programs, 'postgres'), `exec ${everywhere} '${native}/postgres' "$@" -D '${data}' ${settings}`);
  return startPostgres(programs);
}

function writeScript(path: string, command: string): void {
  writeFileSync(path, `#!/bin/sh\n${command}\n`);
  chmodSync(path, 0o755);
}
