import { resolve } from 'node:path';
import { describePostgres } from './postgres-url.ts';

/** Where a database is, for people: without user and password. */
export function describeDatabase(url: string): string {
  if (url === 'sqlite::memory:') return 'memory';
  return url.startsWith('sqlite:') ? resolve(url.slice('sqlite:'.length)) : describePostgres(url);
}
