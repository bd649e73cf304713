import { Failure } from '../../kernel/failure.ts';
import type { Caller, Registry } from '../../kernel/registry.ts';
import type { Connection } from '../../storage/query.ts';
import type { AppRow } from '../../storage/tables.ts';
import { appendEvent, appendEvents, type Change, type ChangeContext } from '../events/append-event.ts';
import { installationDeleted } from '../installations/installation-changes.ts';
import { deleteSomeInstallationsOfApp } from '../installations/installation-queries.ts';
import { mark } from '../search/projections.ts';
import { appEventData } from './app-event-data.ts';
import { deleteApp as deleteAppRow } from './app-queries.ts';
import { deletedView, toDeletedRow } from './deleted-app.ts';
import { insertDeletedApp } from './deleted-app-queries.ts';
import { lockApp } from './lock-app.ts';
import type { DeletedApp } from './operator-app.ts';

const batchMax = 1_000;

/**
 * Deletes an app: it can no longer be found, and its name becomes free. For 30 days it can be restored, without its
 * installations. Returns the app as it was. Refuses with `app_not_found`, or with `app_installed` unless forced.
 */
export async function deleteApp(
  registry: Registry,
  caller: Caller,
  { appId, force = false }: { appId: string; force?: boolean | undefined },
): Promise<DeletedApp> {
  return registry.storage.write(async (transaction) => {
    const app = await lockApp(transaction, appId);
    const at = registry.now();
    if (app.installation_count > 0) {
      if (!force) throw appInstalled(app);
      await deleteInstallations(transaction, { caller, at }, app);
    }
    await deleteAppRow(transaction, { id: app.id });
    await insertDeletedApp(transaction, toDeletedRow(app, at));
    await mark(transaction, app.id);
    await appendEvent(transaction, { caller, at, ...appDeleted(app) });
    return deletedView(registry, app, at);
  });
}

function appDeleted(app: AppRow): Change {
  return {
    type: 'app.deleted',
    appId: app.id,
    subjectId: app.id,
    before: appEventData(app),
    ...(app.review_status === 'APPROVED' && { effective: null }),
  };
}

/** In batches, for constant memory. */
async function deleteInstallations(
  transaction: Connection,
  context: ChangeContext,
  { id: appId }: AppRow,
): Promise<void> {
  for (;;) {
    const deleted = await deleteSomeInstallationsOfApp(transaction, { appId, limit: batchMax });
    if (deleted.length > 0) await appendEvents(transaction, { ...context, changes: deleted.map(installationDeleted) });
    if (deleted.length < batchMax) return;
  }
}

function appInstalled({ installation_count: count }: AppRow): Failure {
  const have = count === 1 ? 'One workspace has' : `${count} workspaces have`;
  return new Failure(
    'app_installed',
    `${have} installed the app. Delete its installations first, or force the deletion to delete them too.`,
  );
}
