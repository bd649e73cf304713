import { openStorage } from '../../../server/src/storage/open-storage.ts';
import type { Storage } from '../../../server/src/storage/storage.ts';
import type { Engine } from './engines.ts';

export interface FreshStorage {
  readonly storage: Storage;
  readonly url: string;
  /** Closes the storage and drops its database. */
  end(): Promise<void>;
}

/** Opens a storage on a database of its own. */
export async function freshStorage(engine: Engine): Promise<FreshStorage> {
  const { url, drop } = await engine.createMigratedDatabase();
  const storage = await openStorage(url, { create: true });
  const end = async () => {
    await storage.close();
    await drop();
  };
  return { storage, url, end };
}
