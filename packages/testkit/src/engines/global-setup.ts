import { rmSync } from 'node:fs';
import { compileCache } from '../programs/compile-cache.ts';
import { temporaryFolderInMemory } from '../programs/temporary-folder.ts';
import { isTested, postgres, postgresTemplateVariable, postgresUrlVariable, type TestDatabase } from './engines.ts';
import { type PostgresServer, startPostgres } from './postgres-server.ts';

let server: PostgresServer | undefined;
let template: TestDatabase | undefined;
let folder: string | undefined;

/**
 * Before all test files: a cache of compiled code, a folder for temporary files, one PostgreSQL server, unless one was
 * named or the run does not test it, and on it the database that those of the tests are copies of.
 */
export async function globalSetup(): Promise<void> {
  folder = temporaryFolderInMemory();
  Object.assign(process.env, compileCache, folder && { TMPDIR: folder });
  if (!isTested(postgres)) return;
  if (!process.env[postgresUrlVariable]) {
    server = await startPostgres();
    process.env[postgresUrlVariable] = server.url;
  }
  template = await postgres.createMigratedDatabase();
  process.env[postgresTemplateVariable] = new URL(template.url).pathname.slice(1);
}

export async function globalTeardown(): Promise<void> {
  await template?.drop();
  await server?.stop();
  if (folder) rmSync(folder, { recursive: true, maxRetries: 5 });
}
