import { DeveloperQuery, type OperatorDeveloper } from '../../contract/developer.ts';
import type { PageOf } from '../../contract/page.ts';
import { listDeveloperPage } from '../../storage/queries/developers.ts';
import { requireValid } from '../failure.ts';
import { readPage } from '../page.ts';
import type { Registry } from '../registry.ts';
import { operatorDeveloperView } from './developer-view.ts';

/** A page of the developers, by id. Refuses with `invalid_content`. */
export async function listDevelopers(registry: Registry, input: unknown): Promise<PageOf<OperatorDeveloper>> {
  return readPage(requireValid(DeveloperQuery, input), {
    name: 'developers',
    read: (request) => listDeveloperPage(registry.storage.reader, request),
    view: operatorDeveloperView,
  });
}
