import { readsNotes } from '../contract/access-token.ts';
import type { appOperations } from '../contract/operations/apps.ts';
import { runOrTry } from '../kernel/dry-run.ts';
import type { Handlers } from '../kernel/handler.ts';
import type { Registry } from '../kernel/registry.ts';
import { createApp } from '../registry/apps/create-app.ts';
import { deleteApp } from '../registry/apps/delete-app.ts';
import { getAppAsOperator } from '../registry/apps/get-app-as-operator.ts';
import { listApps } from '../registry/apps/list-apps.ts';
import { listDeletedApps } from '../registry/apps/list-deleted-apps.ts';
import { restoreApp } from '../registry/apps/restore-app.ts';
import { transferApp } from '../registry/apps/transfer-app.ts';
import { updateAppAsOperator } from '../registry/apps/update-app-as-operator.ts';

/** Apps of any developer. */
export function appHandlers(registry: Registry): Handlers<typeof appOperations> {
  return {
    listApps: ({ query }) => listApps(registry, query),
    createApp: ({ caller, body }) => createApp(registry, caller, body),
    getAppAsOperator: ({ params: { id }, scopes }) =>
      getAppAsOperator(registry, id, { showsNotes: readsNotes(scopes) }),
    updateAppAsOperator: ({ caller, params: { id: appId }, body: update, ifRevision, unlessRevision }) =>
      updateAppAsOperator(registry, caller, { appId, update, ifRevision, unlessRevision }),
    deleteApp: ({ caller, params: { id: appId }, query: { force }, dryRun }) =>
      runOrTry(registry, { dryRun, scope: { appId } }, (tried) =>
        deleteApp(tried, caller, { appId, force: force === true }),
      ),
    listDeletedApps: ({ query }) => listDeletedApps(registry, query),
    restoreApp: ({ caller, params: { id } }) => restoreApp(registry, caller, id),
    transferApp: ({ caller, params: { id: appId }, body }) => transferApp(registry, caller, { appId, transfer: body }),
  };
}
