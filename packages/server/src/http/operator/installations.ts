import { DeletedInstallations, Installation, InstallationQuery, NewInstallation } from '../../contract/installation.ts';
import { pageOf } from '../../contract/page.ts';
import { createInstallation } from '../../registry/installations/create-installation.ts';
import { deleteInstallation } from '../../registry/installations/delete-installation.ts';
import { deleteInstallationsOfWorkspace } from '../../registry/installations/delete-installations-of-workspace.ts';
import { listInstallations } from '../../registry/installations/list-installations.ts';
import { setInstallationEnabled } from '../../registry/installations/set-installation-enabled.ts';
import { showInstallation } from '../../registry/installations/show-installation.ts';
import type { Registry } from '../../registry/registry.ts';
import type { Operation } from './operation.ts';

const installations = '/operator/v1/installations';
const installation = `${installations}/:id`;

/** Apps in workspaces. */
export function installationOperations(registry: Registry): Operation[] {
  const one = { answer: Installation, refusals: ['installation_not_found'] } satisfies Partial<Operation>;
  return [
    {
      method: 'GET',
      path: installations,
      id: 'listInstallations',
      summary: 'List installations',
      description: 'Of an app, in a workspace or by a user, in the order of their ids; those that meet every filter.',
      scope: 'read',
      query: InstallationQuery,
      answer: pageOf(Installation, 'Installation'),
      handle: ({ query }) => listInstallations(registry, query),
    },
    {
      method: 'POST',
      path: installations,
      id: 'createInstallation',
      summary: 'Install an app into a workspace',
      scope: 'admin',
      body: NewInstallation,
      creates: true,
      answer: Installation,
      refusals: ['app_not_found', 'app_not_approved', 'already_exists'],
      handle: ({ caller, body }) => createInstallation(registry, caller, body),
    },
    {
      ...one,
      method: 'GET',
      path: installation,
      id: 'showInstallation',
      summary: 'Show an installation',
      scope: 'read',
      handle: ({ params: { id } }) => showInstallation(registry, id),
    },
    {
      ...one,
      method: 'POST',
      path: `${installation}/enable`,
      id: 'enableInstallation',
      summary: 'Enable an installation',
      scope: 'admin',
      refusals: ['installation_not_found', 'app_not_approved'],
      handle: ({ caller, params: { id } }) => setInstallationEnabled(registry, caller, { id, enabled: true }),
    },
    {
      ...one,
      method: 'POST',
      path: `${installation}/disable`,
      id: 'disableInstallation',
      summary: 'Disable an installation',
      scope: 'admin',
      handle: ({ caller, params: { id } }) => setInstallationEnabled(registry, caller, { id, enabled: false }),
    },
    {
      ...one,
      method: 'DELETE',
      path: installation,
      id: 'deleteInstallation',
      summary: 'Remove an app from a workspace',
      scope: 'admin',
      handle: ({ caller, params: { id } }) => deleteInstallation(registry, caller, id),
    },
    {
      method: 'DELETE',
      path: '/operator/v1/workspaces/:workspaceId/installations',
      id: 'deleteInstallationsOfWorkspace',
      summary: 'Remove every app from a workspace that leaves',
      scope: 'admin',
      answer: DeletedInstallations,
      handle: ({ caller, params: { workspaceId } }) => deleteInstallationsOfWorkspace(registry, caller, workspaceId),
    },
  ];
}
