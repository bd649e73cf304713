import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { connectionSettings, defaultPostgresPort, type PostgresHost } from './connection-settings.ts';

/** Where a database is, for people: without user and password. */
export function describeDatabase(url: string): string {
  if (url === 'sqlite::memory:') return 'memory';
  if (url.startsWith('sqlite:')) return resolve(url.slice('sqlite:'.length));
  const { database, hosts } = connectionSettings(url);
  return `the PostgreSQL database ${database} on ${hosts.map(describeHost).join(', ')}`;
}

function describeHost({ name, port }: PostgresHost): string {
  if (port === defaultPostgresPort) return name;
  return isIP(name) === 6 ? `[${name}]:${port}` : `${name}:${port}`;
}
