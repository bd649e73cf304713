import { UnusableDatabase } from './failure.ts';
import { migrate } from './migrate.ts';
import type { Storage } from './storage.ts';

/** Opens the database at a URL and migrates its schema, or throws `UnusableDatabase`. */
export async function openStorage(url: string): Promise<Storage> {
  const storage = await openEngine(url);
  try {
    await migrate(storage);
    storage.onMigrated?.();
    return storage;
  } catch (error) {
    await storage.close();
    if (error instanceof UnusableDatabase) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new UnusableDatabase(`The schema of the database cannot be made or upgraded: ${reason}.`, { cause: error });
  }
}

/** Loads only the engine in use. */
async function openEngine(url: string): Promise<Storage & { onMigrated?: () => void }> {
  if (url.startsWith('sqlite:')) {
    const { SqliteStorage } = await import('./sqlite/storage.ts');
    return SqliteStorage.open(url.slice('sqlite:'.length));
  }
  const { PostgresStorage } = await import('./postgres/storage.ts');
  return PostgresStorage.open(url);
}
