import { type DeletedApp, DeletedAppQuery } from '../../contract/operator-app.ts';
import type { PageOf } from '../../contract/page.ts';
import { listDeletedAppPage } from '../../storage/queries/deleted-apps.ts';
import { requireValid, throwIfInvalid } from '../failure.ts';
import { readPage } from '../page.ts';
import { PlatformIds } from '../platform-id.ts';
import type { Registry } from '../registry.ts';
import { appOfDeleted, deletedView, restorableMs } from './deleted-app.ts';

/**
 * A page of the deleted apps that can be restored, of all developers or of one, ordered by id.
 * Refuses with `invalid_content`.
 */
export async function listDeletedApps(registry: Registry, input: unknown): Promise<PageOf<DeletedApp>> {
  const given = requireValid(DeletedAppQuery, input);
  const ids = new PlatformIds();
  const developerId =
    given.developerId === undefined ? undefined : ids.read(given.developerId, registry.userIdPrefix, '/developerId');
  throwIfInvalid(ids.errors);
  const filter = { after: registry.now() - restorableMs, developerId };
  return readPage(given, {
    name: 'deleted apps',
    read: (request) => listDeletedAppPage(registry.storage.reader, filter, request),
    view: (row) => deletedView(registry, appOfDeleted(row), row.deleted_at),
  });
}
