import type { Caller, Registry } from '../../kernel/registry.ts';
import { newStamp } from '../../kernel/revision.ts';
import type { WriteWork } from '../../storage/storage.ts';
import type { InstallationRow } from '../../storage/tables.ts';
import { updateInstallationCount } from '../apps/app-queries.ts';
import { appendEventRow, type Change, toEventRow } from '../events/append-event.ts';
import { readEventIds } from '../events/event-ids.ts';
import { operatorInstallationView } from './causes.ts';
import type { OperatorInstallation } from './installation.ts';
import { deleteInstallation as removeInstallation } from './installation-queries.ts';
import { lockInstallation, requireInstallation } from './lock-installation.ts';

/** Removes an app from a workspace and returns the removed installation. Refuses with `installation_not_found`. */
export async function deleteInstallation(
  registry: Registry,
  caller: Caller,
  id: string,
): Promise<OperatorInstallation> {
  const found = await requireInstallation(registry, id);
  const work: WriteWork<InstallationRow> = async (transaction) => {
    const [{ app, installation }, nextEventId] = await Promise.all([
      lockInstallation(transaction, found),
      readEventIds(transaction),
    ]);
    const event = toEventRow({ caller, at: registry.now(), ...installationDeleted(installation) }, nextEventId);
    await Promise.all([
      removeInstallation(transaction, { id }),
      updateInstallationCount(transaction, { id: app.id, by: -1, stamp: newStamp() }),
      appendEventRow(transaction, event, caller),
    ]);
    return installation;
  };
  return operatorInstallationView(await registry.storage.write(work, { groupKey: found.app_id }));
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
