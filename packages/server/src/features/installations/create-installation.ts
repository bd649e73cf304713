import { appNotFound, Failure, requireAppId, requireValid, throwIfInvalid } from '../../kernel/failure.ts';
import { writeIdempotently } from '../../kernel/idempotency.ts';
import { PlatformIds } from '../../kernel/platform-id.ts';
import type { Caller, Registry } from '../../kernel/registry.ts';
import { newStamp } from '../../kernel/revision.ts';
import { newId } from '../../kernel/type-id.ts';
import type { AppRow, InstallationRow } from '../../storage/tables.ts';
import { findAppForUpdate, updateInstallationCount } from '../apps/app-queries.ts';
import { installationView } from '../apps/app-view.ts';
import { appendEventRow, type Change, toEventRow } from '../events/append-event.ts';
import { readEventIds } from '../events/event-ids.ts';
import { requireNotSuspended } from '../suspension/suspended-developer.ts';
import { type Installation, NewInstallation } from './installation.ts';
import { findInstallationInWorkspace, insertInstallation } from './installation-queries.ts';

/**
 * Installs an app into a workspace, enabled (decision 14). Refuses with `invalid_content`,
 * `app_not_found`, `developer_suspended`, `app_not_approved`, or `already_exists`.
 */
export async function createInstallation(registry: Registry, caller: Caller, input: unknown): Promise<Installation> {
  const given = requireValid(NewInstallation, input);
  const ids = new PlatformIds();
  const workspaceId = ids.read(given.workspaceId, registry.workspaceIdPrefix, '/workspaceId');
  const userId = ids.read(given.userId, registry.userIdPrefix, '/userId');
  throwIfInvalid(ids.errors);
  requireAppId(given.appId);

  return writeIdempotently(registry, caller, {
    content: ['createInstallation', given],
    groupKey: given.appId,
    work: async (transaction) => {
      // In one round trip.
      const [app, installed, nextEventId] = await Promise.all([
        findAppForUpdate(transaction, { id: given.appId }),
        findInstallationInWorkspace(transaction, { appId: given.appId, workspaceId }),
        readEventIds(transaction),
      ]);
      if (!app) throw appNotFound();
      requireInstallable(app, userId);
      if (installed) {
        throw new Failure('already_exists', `The app is already installed in ${workspaceId}.`);
      }
      const at = registry.now();
      const installation: InstallationRow = {
        id: newId('installation'),
        app_id: app.id,
        workspace_id: workspaceId,
        user_id: userId,
        enabled: 1,
        disabled_by: null,
        created_at: at,
      };
      const event = toEventRow({ caller, at, ...installationCreated(installation) }, nextEventId);
      await Promise.all([
        insertInstallation(transaction, installation),
        updateInstallationCount(transaction, { id: app.id, by: 1, stamp: newStamp() }),
        appendEventRow(transaction, event, caller),
      ]);
      return installationView(installation);
    },
  });
}

function installationCreated({
  id,
  app_id: appId,
  workspace_id: workspaceId,
  user_id: userId,
}: InstallationRow): Change {
  return { type: 'installation.created', appId, subjectId: id, after: { workspaceId, userId, enabled: true } };
}

/** No one may install an app of a suspended developer, and only its own developer one that is not approved, to test it. */
export function requireInstallable(app: AppRow, userId: string): void {
  requireNotSuspended(app);
  if (app.review_status === 'APPROVED' || app.developer_id === userId) return;
  throw new Failure(
    'app_not_approved',
    `The app is ${app.review_status}. Until it is APPROVED, only its own developer can install and enable it.`,
  );
}
