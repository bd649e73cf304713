import { applyMigrations } from '../migrate.ts';
import { PostgresStorage } from '../postgres/storage.ts';
import { SqliteStorage } from '../sqlite/storage.ts';
import type { Storage } from '../storage.ts';
import { execute } from './storage-test.ts';

/** Opens an empty database as a program of this schema version has created it. */
export async function openAtVersion(url: string, version: number): Promise<Storage> {
  const storage = url.startsWith('sqlite:')
    ? SqliteStorage.open(url.slice('sqlite:'.length), { create: true, onLost: () => {} })
    : await PostgresStorage.open(url);
  await storage.write(async (transaction) => {
    await applyMigrations(transaction, storage.engine, { to: version });
    await execute(transaction, `insert into schema_version (version, usable_from) values (${version}, 1)`);
  });
  return storage;
}
