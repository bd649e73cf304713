import { existsSync, globSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { environment } from '../../../server/src/config/env.ts';

/** What `docs/operating.md` uses beside the registry, and the package of Debian that it is in. */
export const operatingPrograms = {
  postgres: 'postgresql',
  createdb: 'postgresql',
  pg_dump: 'postgresql',
  pg_restore: 'postgresql',
  psql: 'postgresql',
  curl: 'curl',
  git: 'git',
  nginx: 'nginx',
  openssl: 'openssl',
  sqlite3: 'sqlite3',
  'systemd-analyze': 'systemd',
};

/** The server and the clients of one version of PostgreSQL, the newest that Debian has installed. */
export const postgresPrograms = globSync('/usr/lib/postgresql/*/bin')
  .filter((folder) => existsSync(join(folder, 'postgres')) && existsSync(join(folder, 'pg_dump')))
  .toSorted((one, other) => Number(one.split('/')[4]) - Number(other.split('/')[4]))
  .at(-1);

/** Where they are found: clients of the version of the server first, and nginx where only root looks for it. */
export const systemPath = [postgresPrograms ?? '', environment.PATH, '/usr/sbin', '/sbin'].join(delimiter);

/** Throws, and says what to install, when one of these programs is missing, each with its package of Debian. */
export function requireSystemPrograms(programs: Record<string, string>): void {
  const missing = Object.entries(programs).filter(([program]) => !isInstalled(program));
  if (missing.length === 0) return;
  const names = missing.map(([program]) => program).join(', ');
  const wanted = [...new Set(missing.map(([, name]) => name))].join(' ');
  throw new Error(
    `The system tests run programs of the system, and miss ${names}. On Debian install: apt-get install ${wanted}`,
  );
}

function isInstalled(program: string): boolean {
  return systemPath.split(delimiter).some((folder) => folder !== '' && existsSync(join(folder, program)));
}
