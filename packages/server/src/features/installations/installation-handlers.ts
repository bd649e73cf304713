import { runOrTry } from '../../kernel/dry-run.ts';
import type { Handlers } from '../../kernel/handler.ts';
import type { Registry } from '../../kernel/registry.ts';
import { createInstallation } from './create-installation.ts';
import { deleteInstallation } from './delete-installation.ts';
import { deleteInstallationsOfWorkspace } from './delete-installations-of-workspace.ts';
import { getInstallation } from './get-installation.ts';
import type { installationOperations } from './installation-operations.ts';
import { listInstallations } from './list-installations.ts';
import { setInstallationEnabled } from './set-installation-enabled.ts';

/** Apps in workspaces. */
export function installationHandlers(registry: Registry): Handlers<typeof installationOperations> {
  return {
    listInstallations: ({ query }) => listInstallations(registry, query),
    createInstallation: ({ caller, body }) => createInstallation(registry, caller, body),
    getInstallation: ({ params: { id } }) => getInstallation(registry, id),
    enableInstallation: ({ caller, params: { id } }) => setInstallationEnabled(registry, caller, { id, enabled: true }),
    disableInstallation: ({ caller, params: { id } }) =>
      setInstallationEnabled(registry, caller, { id, enabled: false }),
    deleteInstallation: ({ caller, params: { id }, dryRun }) =>
      runOrTry(registry, { dryRun, scope: { installationId: id } }, (tried) => deleteInstallation(tried, caller, id)),
    deleteInstallationsOfWorkspace: ({ caller, params: { workspaceId }, dryRun }) =>
      runOrTry(registry, { dryRun, scope: { workspaceId } }, (tried) =>
        deleteInstallationsOfWorkspace(tried, caller, workspaceId),
      ),
  };
}
