import { DryRunQuery, orDryRun } from '../../kernel/dry-run-result.ts';
import type { OperatorOperation } from '../../kernel/operation-declaration.ts';
import { totalPageOf } from '../../kernel/page-parameters.ts';
import {
  DeletedInstallations,
  Installation,
  InstallationQuery,
  NewInstallation,
  OperatorInstallation,
} from './installation.ts';

const installations = '/operator/v1/installations';
const installation = `${installations}/:id` as const;

const one = { response: OperatorInstallation, refusals: ['installation_not_found'] } as const;

/** Apps in workspaces. */
export const installationOperations = {
  listInstallations: {
    method: 'GET',
    path: installations,
    summary: 'List installations',
    description:
      'Lists all installations ordered by id, or those that match every filter, in an order that depends on the filter.',
    scope: 'read',
    orScope: 'install',
    query: InstallationQuery,
    response: totalPageOf(OperatorInstallation, 'OperatorInstallation'),
  },
  createInstallation: {
    method: 'POST',
    path: installations,
    summary: 'Install an app into a workspace',
    scope: 'install',
    body: NewInstallation,
    creates: true,
    response: Installation,
    refusals: ['app_not_found', 'developer_suspended', 'app_not_approved', 'already_exists'],
  },
  getInstallation: {
    ...one,
    method: 'GET',
    path: installation,
    summary: 'Show an installation',
    scope: 'read',
    orScope: 'install',
  },
  enableInstallation: {
    ...one,
    method: 'POST',
    path: `${installation}/enable`,
    summary: 'Enable an installation',
    description:
      'Removes the cause `workspace`. Other causes can keep the installation disabled: see `disabledBy` in the response.',
    scope: 'install',
    refusals: ['installation_not_found', 'developer_suspended', 'app_not_approved'],
  },
  disableInstallation: {
    ...one,
    method: 'POST',
    path: `${installation}/disable`,
    summary: 'Disable an installation',
    scope: 'install',
  },
  deleteInstallation: {
    ...one,
    response: orDryRun(OperatorInstallation, 'OperatorInstallation'),
    query: DryRunQuery,
    method: 'DELETE',
    path: installation,
    summary: 'Remove an app from a workspace',
    scope: 'install',
  },
  deleteInstallationsOfWorkspace: {
    method: 'DELETE',
    path: '/operator/v1/workspaces/:workspaceId/installations',
    summary: 'Remove all apps from a workspace',
    scope: 'install',
    query: DryRunQuery,
    response: orDryRun(DeletedInstallations, 'DeletedInstallations'),
  },
} as const satisfies Record<string, OperatorOperation>;
