import { sql } from 'kysely';
import { type Connection, list } from '../../storage/query.ts';
import { columns, type InstallationRow } from '../../storage/tables.ts';

/** The next installations of an app, by creation. */
export const listInstallationsByCreation = list(
  (db, { appId, createdAt, id, limit }: { appId: string; createdAt: number; id: string; limit: number }) =>
    db
      .selectFrom('installations')
      .select(columns.installations)
      .where('app_id', '=', appId)
      .where(sql<boolean>`(created_at, id) > (${createdAt}, ${id})`)
      .orderBy('created_at')
      .orderBy('id')
      .limit(limit),
);

/** All installations of these apps. */
export async function listInstallationsOfApps(connection: Connection, appIds: string[]): Promise<InstallationRow[]> {
  return connection.rows(
    connection.builder
      .selectFrom('installations')
      .select(columns.installations)
      .where('app_id', 'in', appIds)
      .orderBy('app_id')
      .orderBy('created_at')
      .orderBy('id')
      .compile(),
  );
}

/** The next installations of an app that the revocation of its approval has disabled. */
export const listRevokedInstallations = list((db, { appId, id, limit }: { appId: string; id: string; limit: number }) =>
  db
    .selectFrom('installations')
    .select(columns.installations)
    .where('app_id', '=', appId)
    .where('id', '>', id)
    .where('disabled_by', 'is not', null)
    .where('disabled_by', 'like', sql.lit('%revocation%'))
    .orderBy('id')
    .limit(limit),
);

/** Stores the same causes for all of these installations. */
export async function updateInstallationCauses(
  connection: Connection,
  { ids, enabled, disabled_by }: { ids: string[] } & Pick<InstallationRow, 'enabled' | 'disabled_by'>,
): Promise<void> {
  const update = connection.builder.updateTable('installations').set({ enabled, disabled_by }).where('id', 'in', ids);
  await connection.run(update.compile());
}
