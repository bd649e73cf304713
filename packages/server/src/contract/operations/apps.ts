import Type from 'typebox';
import { AppUpdate, NewApp } from '../app-update.ts';
import { dryRunQuery, orDryRun } from '../dry-run.ts';
import { AppQuery, AppWithWarnings, DeletedApp, DeletedAppQuery, OperatorApp, Transfer } from '../operator-app.ts';
import { totalPageOf } from '../page.ts';
import type { OperatorOperation } from './operation.ts';

const apps = '/operator/v1/apps';
const app = `${apps}/:id` as const;

const Deletion = Type.Object(
  {
    force: Type.Optional(Type.Boolean({ description: 'Deletes its installations too; without it they forbid it.' })),
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
      'Those that meet every filter: by host when a host is sought, by name when names are, else in the order of their ids, or as `sort` says. There is no total with a host.',
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
  showApp: {
    method: 'GET',
    path: app,
    summary: 'Show an app',
    description:
      'As it is, and as it was when last approved, with warnings for its reviewer. Its `ETag` is what approve and reject need.',
    scope: 'read',
    response: AppWithWarnings,
    refusals: ['app_not_found'],
  },
  updateAppAsOperator: {
    method: 'PATCH',
    path: app,
    summary: 'Change an app',
    description: 'As Update App does for its developer, by the same rules.',
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
    description: 'It cannot be found any more, and its name is free. For 30 days it can be restored.',
    scope: 'admin',
    query: Deletion,
    response: orDryRun(DeletedApp, 'DeletedApp'),
    refusals: ['app_not_found', 'app_installed'],
  },
  listDeletedApps: {
    method: 'GET',
    path: '/operator/v1/deleted-apps',
    summary: 'List the deleted apps that can be restored',
    description: 'Of all developers or of one, in the order of their ids, or as `sort` says.',
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
    summary: 'Give an app to another developer',
    description:
      'With its review, installations and history, as a new revision. Its new developer gets copies of its logos.',
    scope: 'admin',
    body: Transfer,
    response: OperatorApp,
    refusals: ['app_not_found', 'developer_not_found', 'developer_suspended'],
  },
} as const satisfies Record<string, OperatorOperation>;
