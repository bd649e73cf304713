import { runOrTry } from '../../kernel/dry-run.ts';
import type { Handlers } from '../../kernel/handler.ts';
import type { Registry } from '../../kernel/registry.ts';
import { readsNotes } from '../access/access-token.ts';
import type { appOperations } from './app-operations.ts';
import { createApp } from './create-app.ts';
import { deleteApp } from './delete-app.ts';
import { getAppAsOperator } from './get-app-as-operator.ts';
import { listApps } from './list-apps.ts';
import { listDeletedApps } from './list-deleted-apps.ts';
import { restoreApp } from './restore-app.ts';
import { transferApp } from './transfer-app.ts';
import { updateAppAsOperator } from './update-app-as-operator.ts';

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
