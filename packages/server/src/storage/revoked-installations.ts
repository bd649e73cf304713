import { sql } from 'kysely';
import { type Connection, change, list } from './query.ts';
import type { InstallationRow } from './tables.ts';

/** The next enabled installations of an app in the order of creation, after one of them. */
export const listEnabledInstallations = list(
  (db, { appId, createdAt, id, limit }: { appId: string; createdAt: number; id: string; limit: number }) =>
    db
      .selectFrom('installations')
      .select(['id', 'created_at'])
      .where('app_id', '=', appId)
      .where('enabled', '=', 1)
      .where(sql<boolean>`(created_at, id) > (${createdAt}, ${id})`)
      .orderBy('created_at')
      .orderBy('id')
      .limit(limit),
);

/** The next installations of an app that are disabled as long as its approval is revoked, after one of them. */
export const listRevokedInstallations = list((db, { appId, id, limit }: { appId: string; id: string; limit: number }) =>
  db
    .selectFrom('revoked_installations')
    .innerJoin('installations', 'installations.id', 'revoked_installations.id')
    .select(['revoked_installations.id', 'installations.enabled'])
    .where('revoked_installations.app_id', '=', appId)
    .where('revoked_installations.id', '>', id)
    .orderBy('revoked_installations.id')
    .limit(limit),
);

export async function updateInstallationsEnabled(
  connection: Connection,
  { ids, enabled }: { ids: string[]; enabled: InstallationRow['enabled'] },
): Promise<void> {
  const update = connection.builder.updateTable('installations').set({ enabled }).where('id', 'in', ids);
  await connection.run(update.compile());
}

/** From now on the installation stays as its workspace has it. */
export const deleteRevokedInstallation = change((db, { id }: { id: string }) =>
  db.deleteFrom('revoked_installations').where('id', '=', id),
);

export const deleteRevokedInstallations = change((db, { appId }: { appId: string }) =>
  db.deleteFrom('revoked_installations').where('app_id', '=', appId),
);
