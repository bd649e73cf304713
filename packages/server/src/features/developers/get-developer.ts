import { developerNotFound } from '../../kernel/failure.ts';
import type { Registry } from '../../kernel/registry.ts';
import type { OperatorDeveloper } from './developer.ts';
import { findDeveloper } from './developer-queries.ts';
import { operatorDeveloperView } from './developer-view.ts';
import { requireDeveloperId } from './replace-developer.ts';

/** The record of a developer. Refuses with `developer_not_found`. */
export async function getDeveloper(registry: Registry, id: string): Promise<OperatorDeveloper> {
  const userId = requireDeveloperId(registry, id);
  const developer = await findDeveloper(registry.storage.reader, { userId });
  if (!developer) throw developerNotFound(userId);
  return operatorDeveloperView(developer);
}
