import { compileCache } from '../programs/compile-cache.ts';
import { postgresUrlVariable } from './engines.ts';
import { type PostgresServer, startPostgres } from './postgres-server.ts';

let server: PostgresServer | undefined;

/** Before all test files: a cache of compiled code, and one PostgreSQL server for the whole run, unless one was named. */
export async function globalSetup(): Promise<void> {
  Object.assign(process.env, compileCache);
  if (process.env[postgresUrlVariable]) return;
  server = await startPostgres();
  process.env[postgresUrlVariable] = server.url;
}

export async function globalTeardown(): Promise<void> {
  await server?.stop();
}
