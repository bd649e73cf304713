import { NotUnique } from '../../storage/failure.ts';
import { claimNames as claimNamesIn, findUnclaimedApp, listSharedNames } from '../../storage/queries/apps.ts';
import { Failure } from '../failure.ts';
import type { Registry } from '../registry.ts';

/**
 * Reserves the name of every app for that app, after a time with `UNIQUE_NAMES=0`. Refuses with `name_taken`,
 * listing the names, when several apps share a name.
 */
export async function claimNames(registry: Registry): Promise<void> {
  const { storage } = registry;
  if (!registry.uniqueNames || !(await findUnclaimedApp(storage.reader, {}))) return;
  try {
    await storage.write((transaction) => claimNamesIn(transaction, {}));
  } catch (error) {
    if (!(error instanceof NotUnique)) throw error;
    const names = await listSharedNames(storage.reader, {});
    throw new Failure(
      'name_taken',
      `Names must be unique, but several apps share these: ${names.map(({ name_key }) => `"${name_key}"`).join(', ')}. Rename them, or set UNIQUE_NAMES=0.`,
    );
  }
}
