import { compileCache } from '../programs/compile-cache.ts';
import { operatingPrograms, postgresPrograms, requireSystemPrograms } from '../programs/system-programs.ts';
import { postgresUrlVariable } from './engines.ts';
import { type PostgresServer, startPostgres } from './postgres-server.ts';

let server: PostgresServer | undefined;

/** Before all system tests: the PostgreSQL of the system, whose programs the pages use. */
export async function globalSetup(): Promise<void> {
  Object.assign(process.env, compileCache);
  requireSystemPrograms({ ...operatingPrograms, chromium: 'chromium' });
  server = await startPostgres(postgresPrograms);
  process.env[postgresUrlVariable] = server.url;
}

export async function globalTeardown(): Promise<void> {
  await server?.stop();
}
