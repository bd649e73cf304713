import { resolve } from 'node:path';

/** Where a database is, for people: without user and password. */
export function describeDatabase(url: string): string {
  if (url === 'sqlite::memory:') return 'memory';
  if (url.startsWith('sqlite:')) return resolve(url.slice('sqlite:'.length));
  const { hostname, pathname } = new URL(url);
  return `the PostgreSQL database ${pathname.slice(1)}${hostname && ` on ${hostname}`}`;
}
