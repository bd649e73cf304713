import { Failure } from '../../kernel/failure.ts';
import { findFirstResult, writeIdempotently } from '../../kernel/idempotency.ts';
import type { Caller, Registry } from '../../kernel/registry.ts';
import { newStamp } from '../../kernel/revision.ts';
import type { WriteWork } from '../../storage/storage.ts';
import type { InstallationRow } from '../../storage/tables.ts';
import { updateInstallationCount } from '../apps/app-queries.ts';
import { causeColumns, causesOf, operatorInstallationView, withCause, withoutCause } from './causes.ts';
import { changeCauses } from './change-causes.ts';
import { requireInstallable } from './create-installation.ts';
import type { OperatorInstallation } from './installation.ts';
import { lockInstallation, requireInstallation } from './lock-installation.ts';

/**
 * Enables or disables an installation as its workspace wants it; repeating it changes nothing. What else disables it stays:
 * then it is returned still disabled, with the causes that are left. Refuses with `installation_not_found`, and when
 * enabling also with `developer_suspended` or `app_not_approved`.
 */
export async function setInstallationEnabled(
  registry: Registry,
  caller: Caller,
  { id, enabled }: { id: string; enabled: boolean },
): Promise<OperatorInstallation> {
  const content = ['setInstallationEnabled', id, enabled];
  const first = await findFirstResult<OperatorInstallation>(registry, caller, { content });
  if (first) return first;
  const found = await requireInstallation(registry, id);
  const work: WriteWork<OperatorInstallation> = async (transaction) => {
    const { app, installation } = await lockInstallation(transaction, found);
    const before = causesOf(installation);
    if (enabled && before.length > 0) {
      requireInstallable(app, installation.user_id);
      requireWorkspaceCause(installation);
    }
    const causes = (enabled ? withoutCause : withCause)(before, 'workspace');
    const context = { caller, at: registry.now() };
    const changed = await changeCauses(transaction, context, { rows: [installation], next: () => causes });
    if (changed.length === 0) return operatorInstallationView(installation);
    await updateInstallationCount(transaction, { id: app.id, by: 0, stamp: newStamp() });
    return operatorInstallationView({ ...installation, ...causeColumns(causes) });
  };
  return writeIdempotently(registry, caller, { content, work, groupKey: found.app_id });
}

/** Only the registry ends a revocation. */
function requireWorkspaceCause(installation: InstallationRow): void {
  if (causesOf(installation).includes('workspace')) return;
  throw new Failure(
    'app_not_approved',
    'The installation was disabled by the revocation of its app, not by its workspace. The next approval of the app enables it: submit the app for review.',
  );
}
