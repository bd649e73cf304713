import { chmodSync, chownSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyPostgresPrograms } from '@appregistrar/testkit/engines/postgres-programs';
import { type PostgresServer, startPostgres } from '@appregistrar/testkit/engines/postgres-server';
import { type Cores, onAllCores } from './machine.ts';

/** Production settings that the server of the tests disables. */
const durable = ['fsync=on', 'synchronous_commit=on', 'full_page_writes=on', 'autovacuum=on'];
const unprivileged = 65_534;

/**
 * Starts PostgreSQL as the tests do, but with durable settings, on every core, and with a permanent data folder. The
 * last value of a setting wins.
 */
export function startDurablePostgres(folder: string, cores: Cores | null): Promise<PostgresServer> {
  const programs = join(folder, 'programs');
  const data = join(folder, 'data');
  mkdirSync(programs, { recursive: true });
  if (!existsSync(join(programs, 'native'))) copyPostgresPrograms(programs);
  if (process.getuid?.() === 0) for (const path of [folder, programs]) chownSync(path, unprivileged, unprivileged);
  const native = join(programs, 'native/bin');
  const prefix = onAllCores(cores).join(' ');
  const settings = durable.map((setting) => `-c ${setting}`).join(' ');
  writeScript(join(programs, 'initdb'), `test -f '${data}/PG_VERSION' || exec '${native}/initdb' -D '${data}' "$@"`);
  writeScript(join(programs, 'postgres'), `exec ${prefix} '${native}/postgres' "$@" -D '${data}' ${settings}`);
  return startPostgres(programs);
}

function writeScript(path: string, command: string): void {
  writeFileSync(path, `#!/bin/sh\n${command}\n`);
  chmodSync(path, 0o755);
}
