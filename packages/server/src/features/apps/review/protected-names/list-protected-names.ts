import { requireValid } from '../../../../kernel/failure.ts';
import { readPage } from '../../../../kernel/page.ts';
import type { PageOf } from '../../../../kernel/page-parameters.ts';
import type { Registry } from '../../../../kernel/registry.ts';
import { type ProtectedName, ProtectedNameQuery } from './protected-name.ts';
import { listProtectedNamePage } from './protected-name-queries.ts';
import { protectedNameView } from './protected-name-view.ts';

/** A page of the protected names and hosts, by id. Refuses with `invalid_content`. */
export async function listProtectedNames(registry: Registry, input: unknown): Promise<PageOf<ProtectedName>> {
  return readPage(requireValid(ProtectedNameQuery, input), {
    name: 'protected-names',
    read: (request) => listProtectedNamePage(registry.storage.reader, request),
    view: protectedNameView,
  });
}
