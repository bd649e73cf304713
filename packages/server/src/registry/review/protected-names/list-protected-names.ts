import type { PageOf } from '../../../contract/page.ts';
import { type ProtectedName, ProtectedNameQuery } from '../../../contract/warnings/protected-name.ts';
import { listProtectedNamePage } from '../../../storage/queries/review/protected-names.ts';
import { requireValid } from '../../failure.ts';
import { readPage } from '../../page.ts';
import type { Registry } from '../../registry.ts';
import { protectedNameView } from './protected-name-view.ts';

/** A page of the protected names and hosts, by id. Refuses with `invalid_content`. */
export async function listProtectedNames(registry: Registry, input: unknown): Promise<PageOf<ProtectedName>> {
  return readPage(requireValid(ProtectedNameQuery, input), {
    name: 'protected-names',
    read: (request) => listProtectedNamePage(registry.storage.reader, request),
    view: protectedNameView,
  });
}
