import { UnusableDatabase } from './failure.ts';
import { migrate } from './migrate.ts';
import { PostgresStorage } from './postgres.ts';
import { SqliteStorage } from './sqlite.ts';
import type { Storage } from './storage.ts';

/** Opens the database behind a URL and brings its schema up to this program's, or throws `UnusableDatabase`. */
export async function openStorage(url: string): Promise<Storage> {
  const storage = url.startsWith('sqlite:')
    ? SqliteStorage.open(url.slice('sqlite:'.length))
    : await PostgresStorage.open(url);
  try {
    await migrate(storage);
    if (storage instanceof SqliteStorage) storage.keepSavepointsInMemory();
    return storage;
  } catch (error) {
    await storage.close();
    if (error instanceof UnusableDatabase) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new UnusableDatabase(`The schema of the database cannot be made or upgraded: ${reason}.`, { cause: error });
  }
}
