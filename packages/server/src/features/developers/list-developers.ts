import { requireValid } from '../../kernel/failure.ts';
import { listTotal } from '../../kernel/list-total.ts';
import { readPage } from '../../kernel/page.ts';
import type { TotalPageOf } from '../../kernel/page-parameters.ts';
import type { Registry } from '../../kernel/registry.ts';
import { sortingOf } from '../../kernel/sorting.ts';
import { DeveloperQuery, type OperatorDeveloper } from './developer.ts';
import { listDeveloperPage, someDeveloperIds } from './developer-queries.ts';
import { operatorDeveloperView } from './developer-view.ts';

/** A page of the developers, by id unless sorted otherwise. Refuses with `invalid_content`. */
export async function listDevelopers(registry: Registry, input: unknown): Promise<TotalPageOf<OperatorDeveloper>> {
  const { withTotal, ...given } = requireValid(DeveloperQuery, input);
  const sorting = sortingOf(given.sort ?? 'userId', orders);
  const page = await readPage(given, {
    name: 'developers',
    read: (request) => listDeveloperPage(registry.storage.reader, { ...request, sorting }),
    view: operatorDeveloperView,
  });
  if (!withTotal) return page;
  return { ...page, ...(await listTotal(registry, { table: 'developers', isFiltered: false, ids: someDeveloperIds })) };
}

const orders = {
  userId: ['user_id'],
  email: ['email', 'user_id'],
  createdAt: ['created_at', 'user_id'],
} as const;
