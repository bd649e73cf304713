import { find, list } from '../../storage/query.ts';
import type { Reader } from '../../storage/statement.ts';
import { type AppRow, columns, type DeletedAppRow, type DeveloperRow } from '../../storage/tables.ts';

/** The existing ones of these apps. */
export async function listFoundApps(
  reader: Reader,
  ids: string[],
): Promise<Pick<AppRow, 'id' | 'name' | 'review_status' | 'developer_id'>[]> {
  if (ids.length === 0) return [];
  const apps = reader.builder
    .selectFrom('apps')
    .select(['id', 'name', 'review_status', 'developer_id'])
    .where('id', 'in', ids);
  return reader.rows(apps.compile());
}

/** Those of these apps that were deleted. */
export async function listFoundDeletedApps(reader: Reader, ids: string[]): Promise<DeletedAppRow[]> {
  if (ids.length === 0) return [];
  const apps = reader.builder.selectFrom('deleted_apps').select(columns.deleted_apps).where('id', 'in', ids);
  return reader.rows(apps.compile());
}

/** The existing ones of these developers. */
export async function listFoundDevelopers(reader: Reader, ids: string[]): Promise<DeveloperRow[]> {
  if (ids.length === 0) return [];
  const developers = reader.builder.selectFrom('developers').select(columns.developers).where('user_id', 'in', ids);
  return reader.rows(developers.compile());
}

/** A workspace, if it has installations. */
export const findInstalledWorkspace = find((db, { workspaceId }: { workspaceId: string }) =>
  db.selectFrom('installations').select('workspace_id').where('workspace_id', '=', workspaceId).limit(1),
);

export const findLogoOwner = find((db, { id }: { id: string }) =>
  db.selectFrom('logos').select('developer_id').where('id', '=', id),
);

/** Webhooks without their secrets, oldest first. */
export const listWebhookNames = list((db, { limit }: { limit: number }) =>
  db.selectFrom('webhooks').select(['id', 'name', 'url']).orderBy('id').limit(limit),
);
