import type { Installation } from '../../contract/installation.ts';
import { updateInstallationCount } from '../../storage/queries/apps.ts';
import { updateInstallationEnabled } from '../../storage/queries/installations.ts';
import { deleteRevokedInstallation } from '../../storage/queries/revoked-installations.ts';
import { installationView } from '../apps/app-view.ts';
import { appendEvent } from '../events/append-event.ts';
import type { Caller, Registry } from '../registry.ts';
import { newStamp } from '../revision.ts';
import { requireInstallable } from './create-installation.ts';
import { lockInstallation } from './lock-installation.ts';

/**
 * Enables or disables an installation; repeating it changes nothing. In any case, a later approval of the app no longer
 * enables it. Refuses with `installation_not_found`, and when enabling also with `app_not_approved`.
 */
export async function setInstallationEnabled(
  registry: Registry,
  caller: Caller,
  { id, enabled }: { id: string; enabled: boolean },
): Promise<Installation> {
  const row = await registry.storage.write(async (transaction) => {
    const { app, installation } = await lockInstallation(transaction, id);
    const wanted = enabled ? 1 : 0;
    if (enabled && installation.enabled === 0) requireInstallable(app, installation.user_id);
    const wasUntilApproved = (await deleteRevokedInstallation(transaction, { id })) > 0;
    if (installation.enabled === wanted && !wasUntilApproved) return installation;
    await updateInstallationEnabled(transaction, { id, enabled: wanted });
    await updateInstallationCount(transaction, { id: app.id, by: 0, stamp: newStamp() });
    await appendEvent(transaction, {
      caller,
      at: registry.now(),
      type: enabled ? 'installation.enabled' : 'installation.disabled',
      appId: app.id,
      subjectId: id,
      before: { enabled: installation.enabled === 1, ...(wasUntilApproved && { untilApproved: true }) },
      after: { enabled },
    });
    return { ...installation, enabled: wanted } as const;
  });
  return installationView(row);
}
