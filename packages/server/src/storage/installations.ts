import { change, find, insert } from './query.ts';
import { columns } from './tables.ts';

export const findInstallation = find((db, { id }: { id: string }) =>
  db.selectFrom('installations').select(columns.installations).where('id', '=', id),
);

export const findInstallationInWorkspace = find((db, { appId, workspaceId }: { appId: string; workspaceId: string }) =>
  db
    .selectFrom('installations')
    .select(columns.installations)
    .where('app_id', '=', appId)
    .where('workspace_id', '=', workspaceId),
);

export const insertInstallation = insert('installations');

export const updateInstallationEnabled = change((db, { id, enabled }: { id: string; enabled: 0 | 1 }) =>
  db.updateTable('installations').set({ enabled }).where('id', '=', id),
);

export const deleteInstallation = change((db, { id }: { id: string }) =>
  db.deleteFrom('installations').where('id', '=', id),
);
