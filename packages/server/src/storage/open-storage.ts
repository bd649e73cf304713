import { migrate } from './migrate.ts';
import { knownSchemas } from './migrations/known-schemas.ts';
import { describeDatabase } from './postgres-url.ts';
import { requireSchema, schemaVersion } from './schema.ts';
import type { OpenOptions, Storage } from './storage.ts';
import { DatabaseNotFound, reasonOf, UnusableDatabase } from './storage-failure.ts';

/** Opens the registry in the database at a URL and migrates its schema, or throws `UnusableDatabase`. */
export async function openStorage(
  url: string,
  { create = false, onCreated = () => {}, onMigrating = () => {}, ...options }: Partial<OpenOptions> = {},
): Promise<Storage> {
  const storage = await openEngine(url, { create, ...options });
  try {
    const isNew = (await schemaVersion(storage)) === 0;
    if (isNew && !create) {
      await requireSchema(storage, storage.reader);
      throw DatabaseNotFound.in(describeDatabase(url));
    }
    await migrate(storage, onMigrating);
    storage.onMigrated?.();
    if (isNew) onCreated(describeDatabase(url));
    return storage;
  } catch (error) {
    await storage.close();
    if (error instanceof UnusableDatabase) throw error;
    const what = 'The schema of the database cannot be created or upgraded';
    throw new UnusableDatabase(`${what}: ${reasonOf(error)}.`, { cause: error });
  }
}

/** Loads only the engine in use. */
async function openEngine(
  url: string,
  {
    onLost = () => {},
    onSyncFailed = () => {},
    schemas = knownSchemas,
    ...options
  }: Pick<OpenOptions, 'create'> & Partial<OpenOptions>,
): Promise<Storage & { onMigrated?: () => void }> {
  if (url.startsWith('sqlite:')) {
    const { SqliteStorage } = await import('./sqlite/sqlite-storage.ts');
    return SqliteStorage.open(url.slice('sqlite:'.length), { create: options.create, onLost, onSyncFailed, schemas });
  }
  const { PostgresStorage } = await import('./postgres/postgres-storage.ts');
  return PostgresStorage.open(url, { ...options, schemas });
}
