import { requireValid, throwIfInvalid } from '../../kernel/failure.ts';
import { listTotal } from '../../kernel/list-total.ts';
import { readPage } from '../../kernel/page.ts';
import type { TotalPageOf } from '../../kernel/page-parameters.ts';
import { PlatformIds } from '../../kernel/platform-id.ts';
import type { Registry } from '../../kernel/registry.ts';
import { sortingOf } from '../../kernel/sorting.ts';
import { appOfDeleted, deletedView, restorableMs } from './deleted-app.ts';
import { listDeletedAppPage, someDeletedAppIds } from './deleted-app-queries.ts';
import { type DeletedApp, DeletedAppQuery } from './operator-app.ts';

/**
 * A page of the deleted apps that can be restored, of all developers or of one, ordered by id unless sorted otherwise.
 * Refuses with `invalid_content`.
 */
export async function listDeletedApps(registry: Registry, input: unknown): Promise<TotalPageOf<DeletedApp>> {
  const { withTotal, ...given } = requireValid(DeletedAppQuery, input);
  const ids = new PlatformIds();
  const developerId =
    given.developerId === undefined ? undefined : ids.read(given.developerId, registry.userIdPrefix, '/developerId');
  throwIfInvalid(ids.errors);
  const filter = { after: registry.now() - restorableMs, developerId };
  const sorting = sortingOf(given.sort ?? 'id', orders);
  const page = await readPage(given, {
    name: 'deleted apps',
    read: (request) => listDeletedAppPage(registry.storage.reader, filter, { ...request, sorting }),
    view: (row) => deletedView(registry, appOfDeleted(row), row.deleted_at),
  });
  if (!withTotal) return page;
  const isFiltered = developerId !== undefined;
  return {
    ...page,
    ...(await listTotal(registry, {
      table: 'deleted_apps',
      isFiltered,
      ids: (limit) => someDeletedAppIds(filter, limit),
    })),
  };
}

const orders = { id: ['id'], deletedAt: ['deleted_at', 'id'] } as const;
