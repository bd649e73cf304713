import type { Developer } from '../../contract/developer.ts';
import { findDeveloper } from '../../storage/queries/developers.ts';
import { developerRecord } from '../apps/app-view.ts';
import { developerNotFound } from '../apps/create-app.ts';
import type { Registry } from '../registry.ts';
import { requireDeveloperId } from './replace-developer.ts';

/** The record of a developer. Refuses with `developer_not_found`. */
export async function showDeveloper(registry: Registry, id: string): Promise<Developer> {
  const userId = requireDeveloperId(registry, id);
  const developer = await findDeveloper(registry.storage.reader, { userId });
  if (!developer) throw developerNotFound(userId);
  return developerRecord(developer);
}
