import Type from 'typebox';
import { AppUpdate, NewApp } from '../../contract/app-update.ts';
import { DeletedAppQuery } from '../../contract/deleted-app-query.ts';
import { AppQuery, DeletedApp, OperatorApp, Transfer } from '../../contract/operator-app.ts';
import { pageOf } from '../../contract/page.ts';
import { createApp } from '../../registry/apps/create-app.ts';
import { deleteApp } from '../../registry/apps/delete-app.ts';
import { listApps } from '../../registry/apps/list-apps.ts';
import { listDeletedApps } from '../../registry/apps/list-deleted-apps.ts';
import { restoreApp } from '../../registry/apps/restore-app.ts';
import { showApp } from '../../registry/apps/show-app.ts';
import { transferApp } from '../../registry/apps/transfer-app.ts';
import { updateAppAsOperator } from '../../registry/apps/update-app-as-operator.ts';
import type { Registry } from '../../registry/registry.ts';
import type { Operation } from './operation.ts';

const apps = '/operator/v1/apps';
const app = `${apps}/:id`;

/** Apps of any developer. */
export function appOperations(registry: Registry): Operation[] {
  return [
    {
      method: 'GET',
      path: apps,
      id: 'listApps',
      summary: 'List apps',
      description: 'Those that meet every filter: by name when names are sought, else in the order of their ids.',
      scope: 'read',
      query: AppQuery,
      answer: pageOf(OperatorApp, 'OperatorApp'),
      handle: ({ query }) => listApps(registry, query),
    },
    {
      method: 'POST',
      path: apps,
      id: 'createApp',
      summary: 'Create an app, as a draft',
      scope: 'portal',
      body: NewApp,
      creates: true,
      answer: OperatorApp,
      refusals: ['developer_not_found', 'name_taken'],
      handle: ({ caller, body }) => createApp(registry, caller, body),
    },
    {
      method: 'GET',
      path: app,
      id: 'showApp',
      summary: 'Show an app',
      description: 'As it is, and as it was when last approved. Its `ETag` is what approve and reject need.',
      scope: 'read',
      answer: OperatorApp,
      refusals: ['app_not_found'],
      handle: ({ params: { id } }) => showApp(registry, id),
    },
    {
      method: 'PATCH',
      path: app,
      id: 'updateAppAsOperator',
      summary: 'Change an app',
      description: 'As Update App does for its developer, by the same rules.',
      scope: 'portal',
      body: AppUpdate,
      ifMatch: 'optional',
      answer: OperatorApp,
      refusals: ['app_not_found', 'app_under_review', 'name_taken'],
      handle: ({ caller, params: { id: appId }, body: update, ifRevision }) =>
        updateAppAsOperator(registry, caller, { appId, update, ifRevision }),
    },
    {
      method: 'DELETE',
      path: app,
      id: 'deleteApp',
      summary: 'Delete an app',
      description: 'It cannot be found any more, and its name is free. For 30 days it can be restored.',
      scope: 'admin',
      query: Deletion,
      answer: DeletedApp,
      refusals: ['app_not_found', 'app_installed'],
      handle: ({ caller, params: { id: appId }, query }) => deleteApp(registry, caller, { appId, ...query }),
    },
    {
      method: 'GET',
      path: '/operator/v1/deleted-apps',
      id: 'listDeletedApps',
      summary: 'List the deleted apps that can be restored',
      description: 'Of all developers or of one, in the order of their ids.',
      scope: 'read',
      query: DeletedAppQuery,
      answer: pageOf(DeletedApp, 'DeletedApp'),
      handle: ({ query }) => listDeletedApps(registry, query),
    },
    {
      method: 'POST',
      path: `${app}/restore`,
      id: 'restoreApp',
      summary: 'Restore a deleted app, without installations',
      scope: 'admin',
      answer: OperatorApp,
      refusals: ['app_not_found', 'name_taken'],
      handle: ({ caller, params: { id } }) => restoreApp(registry, caller, id),
    },
    {
      method: 'POST',
      path: `${app}/transfer`,
      id: 'transferApp',
      summary: 'Give an app to another developer',
      description: 'With its review, installations and history. Its new developer gets copies of its logos.',
      scope: 'admin',
      body: Transfer,
      answer: OperatorApp,
      refusals: ['app_not_found', 'developer_not_found'],
      handle: ({ caller, params: { id: appId }, body }) => transferApp(registry, caller, { appId, transfer: body }),
    },
  ];
}

const Deletion = Type.Object(
  { force: Type.Optional(Type.Boolean({ description: 'Deletes its installations too; without it they forbid it.' })) },
  { additionalProperties: false },
);
