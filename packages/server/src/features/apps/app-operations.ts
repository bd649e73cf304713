import Type from 'typebox';
import { dryRunQuery, orDryRun } from '../../kernel/dry-run-result.ts';
import type { OperatorOperation } from '../../kernel/operation-declaration.ts';
import { totalPageOf } from '../../kernel/page-parameters.ts';
import { AppUpdate, NewApp } from './app-update.ts';
import { AppQuery, AppWithWarnings, DeletedApp, DeletedAppQuery, OperatorApp, Transfer } from './operator-app.ts';

const apps = '/operator/v1/apps';
const app = `${apps}/:id` as const;

const Deletion = Type.Object(
  {
    force: Type.Optional(
      Type.Boolean({
        description:
          'Whether to delete its installations too. Without it, an app with installations cannot be deleted.',
      }),
    ),
    ...dryRunQuery,
  },
  { additionalProperties: false },
);

/** Apps of any developer. */
export const appOperations = {
  listApps: {
    method: 'GET',
    path: apps,
    summary: 'List apps',
    description:
      'Lists the apps that match every filter, or those with some ids. Ordered by host with `host`, by name with `name`, otherwise by id or `sort`. There is no total with `host`.',
    scope: 'read',
    query: AppQuery,
    response: totalPageOf(OperatorApp, 'OperatorApp'),
  },
  createApp: {
    method: 'POST',
    path: apps,
    summary: 'Create an app, as a draft',
    scope: 'portal',
    body: NewApp,
    creates: true,
    response: OperatorApp,
    refusals: ['developer_not_found', 'name_taken'],
  },
  getAppAsOperator: {
    method: 'GET',
    path: app,
    summary: 'Show an app',
    description:
      'Returns the current and the last approved content, with warnings for the reviewer. Its `ETag` is required to approve or reject it.',
    scope: 'read',
    response: AppWithWarnings,
    refusals: ['app_not_found'],
  },
  updateAppAsOperator: {
    method: 'PATCH',
    path: app,
    summary: 'Update an app',
    description: 'Updates the app by the same rules as Update App.',
    scope: 'portal',
    body: AppUpdate,
    ifMatch: 'optional',
    response: OperatorApp,
    refusals: ['app_not_found', 'app_under_review', 'name_taken'],
  },
  deleteApp: {
    method: 'DELETE',
    path: app,
    summary: 'Delete an app',
    description: 'Deletes the app and frees its name. The app can be restored for 30 days.',
    scope: 'admin',
    query: Deletion,
    response: orDryRun(DeletedApp, 'DeletedApp'),
    refusals: ['app_not_found', 'app_installed'],
  },
  listDeletedApps: {
    method: 'GET',
    path: '/operator/v1/deleted-apps',
    summary: 'List the deleted apps that can be restored',
    description: 'Lists those of all developers or of one, ordered by id or `sort`.',
    scope: 'read',
    query: DeletedAppQuery,
    response: totalPageOf(DeletedApp, 'DeletedApp'),
  },
  restoreApp: {
    method: 'POST',
    path: `${app}/restore`,
    summary: 'Restore a deleted app, without installations',
    scope: 'admin',
    response: OperatorApp,
    refusals: ['app_not_found', 'name_taken'],
  },
  transferApp: {
    method: 'POST',
    path: `${app}/transfer`,
    summary: 'Transfer an app to another developer',
    description:
      'Transfers the app with its review status, installations and history. Creates a new revision and copies its logos to the new developer.',
    scope: 'admin',
    body: Transfer,
    response: OperatorApp,
    refusals: ['app_not_found', 'developer_not_found', 'developer_suspended'],
  },
} as const satisfies Record<string, OperatorOperation>;
