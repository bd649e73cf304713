import { existsSync, globSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { environment } from '../../../server/src/config/env.ts';

/** The programs that the pages for operators use beside the registry, each with its Debian package. */
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
  pgbouncer: 'pgbouncer',
  'systemd-analyze': 'systemd',
  rsyslogd: 'rsyslog',
  squid: 'squid',
};

/** The folder of the newest PostgreSQL server and clients that Debian has installed. */
export const postgresPrograms = globSync('/usr/lib/postgresql/*/bin')
  .filter((folder) => existsSync(join(folder, 'postgres')) && existsSync(join(folder, 'pg_dump')))
  .toSorted((one, other) => Number(one.split('/')[4]) - Number(other.split('/')[4]))
  .at(-1);

/** The path to find them: the clients that match the server first, and nginx outside the usual path of users. */
export const systemPath = [postgresPrograms ?? '', environment.PATH, '/usr/sbin', '/sbin'].join(delimiter);

/** Throws, and says what to install, when one of these programs is missing, each with its Debian package. */
export function requireSystemPrograms(programs: Record<string, string>): void {
  const missing = Object.entries(programs).filter(([program]) => !isInstalled(program));
  if (missing.length === 0) return;
  const names = missing.map(([program]) => program).join(', ');
  const packages = [...new Set(missing.map(([, name]) => name))].join(' ');
  throw new Error(`Missing programs: ${names}. On Debian and Ubuntu: apt-get install ${packages}`);
}

export function isInstalled(program: string): boolean {
  return systemPath.split(delimiter).some((folder) => folder !== '' && existsSync(join(folder, program)));
}
