import type { OperatorInstallation } from '../../contract/installation.ts';
import { updateInstallationCount } from '../../storage/queries/apps.ts';
import { deleteInstallation as removeInstallation } from '../../storage/queries/installations.ts';
import type { InstallationRow } from '../../storage/tables.ts';
import { appendEvent, type Change } from '../events/append-event.ts';
import { readAheadOfInstallation } from '../read-ahead.ts';
import type { Caller, Registry } from '../registry.ts';
import { newStamp } from '../revision.ts';
import { operatorInstallationView } from './causes.ts';
import { lockInstallation } from './lock-installation.ts';

/** Removes an app from a workspace and returns the removed installation. Refuses with `installation_not_found`. */
export async function deleteInstallation(
  registry: Registry,
  caller: Caller,
  id: string,
): Promise<OperatorInstallation> {
  await readAheadOfInstallation(registry, id);
  const row = await registry.storage.write(async (transaction) => {
    const { app, installation } = await lockInstallation(transaction, id);
    await removeInstallation(transaction, { id });
    await updateInstallationCount(transaction, { id: app.id, by: -1, stamp: newStamp() });
    await appendEvent(transaction, { caller, at: registry.now(), ...installationDeleted(installation) });
    return installation;
  });
  return operatorInstallationView(row);
}

/** The event of a removal. */
export function installationDeleted(installation: InstallationRow): Change {
  const { id, app_id: appId, workspace_id: workspaceId, user_id: userId, enabled } = installation;
  return {
    type: 'installation.deleted',
    appId,
    subjectId: id,
    before: { workspaceId, userId, enabled: enabled === 1 },
  };
}
