// Writes the description of the PostgreSQL schema of each version, from the migrations.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startPostgres } from '@appregistrar/testkit/engines/postgres-server';
import { schemaHistory } from '@appregistrar/testkit/storage/schema-objects';
import { knownSchemas } from '../packages/server/src/storage/migrations/known-schemas.ts';

const file = fileURLToPath(new URL('../packages/server/src/storage/migrations/postgres-schemas.json', import.meta.url));

const server = await startPostgres();
try {
  await writeFile(file, JSON.stringify(await schemaHistory(server.url, knownSchemas)));
} finally {
  await server.stop();
}
// As the linter wants it.
await promisify(execFile)('biome', ['format', '--write', file]);
