import { readConfig } from '../../../server/src/config/config.ts';
import { openRegistry } from '../../../server/src/features/settings/settings.ts';
import type { Registry } from '../../../server/src/kernel/registry.ts';
import { openStorage } from '../../../server/src/storage/open-storage.ts';

/** Opens the registry of a database for some work, and closes it afterwards. Creates or migrates its schema. */
export async function withRegistry<Result>(
  databaseUrl: string,
  work: (registry: Registry) => Promise<Result>,
): Promise<Result> {
  const storage = await openStorage(databaseUrl, { create: true });
  try {
    return await work(await openRegistry(storage, readConfig({})));
  } finally {
    await storage.close();
  }
}
