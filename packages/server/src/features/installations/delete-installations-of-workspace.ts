import { throwIfInvalid } from '../../kernel/failure.ts';
import { PlatformIds } from '../../kernel/platform-id.ts';
import type { Caller, Registry } from '../../kernel/registry.ts';
import { newStamp } from '../../kernel/revision.ts';
import type { Connection } from '../../storage/query.ts';
import { listAppIdsForUpdate, updateInstallationCounts } from '../apps/app-queries.ts';
import { appendEvents } from '../events/append-event.ts';
import { installationDeleted } from './delete-installation.ts';
import type { DeletedInstallations } from './installation.ts';
import { deleteInstallationsInWorkspace, listAppsInWorkspace } from './installation-queries.ts';

const batchMax = 1_000;

/**
 * Removes all apps from a workspace that leaves the platform, or none. An app that is installed meanwhile may remain:
 * repeat the call until it removes nothing. Refuses with `invalid_content`.
 */
export async function deleteInstallationsOfWorkspace(
  registry: Registry,
  caller: Caller,
  id: string,
): Promise<DeletedInstallations> {
  const ids = new PlatformIds();
  const workspaceId = ids.read(id, registry.workspaceIdPrefix, '/workspaceId');
  throwIfInvalid(ids.errors);
  const at = registry.now();
  const installationsDeleted = await registry.storage.write((transaction) =>
    deleteAll(transaction, { caller, at, workspaceId }),
  );
  return { workspaceId, installationsDeleted };
}

interface Removal {
  caller: Caller;
  at: number;
  workspaceId: string;
}

/** In batches, by app: a workspace has each app once, and a fixed order avoids deadlocks. */
async function deleteAll(transaction: Connection, removal: Removal): Promise<number> {
  let deleted = 0;
  let appId = '';
  for (;;) {
    const apps = await listAppsInWorkspace(transaction, { ...removal, appId, limit: batchMax });
    const last = apps.at(-1);
    if (!last) return deleted;
    const ids = apps.map(({ app_id }) => app_id);
    deleted += await deleteOfApps(transaction, { ...removal, ids });
    appId = last.app_id;
  }
}

async function deleteOfApps(
  transaction: Connection,
  { caller, at, workspaceId, ids }: Removal & { ids: string[] },
): Promise<number> {
  // The apps are locked first, because their counts change. Apps deleted by then are skipped.
  const appIds = await listAppIdsForUpdate(transaction, ids);
  if (appIds.length === 0) return 0;
  const installations = await deleteInstallationsInWorkspace(transaction, { workspaceId, appIds });
  if (installations.length === 0) return 0;
  const changed = installations.map(({ app_id }) => app_id);
  await updateInstallationCounts(transaction, { ids: changed, by: -1, stamp: newStamp() });
  await appendEvents(transaction, { caller, at, changes: installations.map(installationDeleted) });
  return installations.length;
}
