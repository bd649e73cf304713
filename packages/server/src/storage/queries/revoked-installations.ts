import { sql } from 'kysely';
import { type Connection, change, list, stream } from '../query.ts';
import { columns, type InstallationRow } from '../tables.ts';

/** The next enabled installations of an app, by creation. */
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

/** The next installations of an app that are disabled while its approval is revoked. */
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

/** Those of these installations that are disabled while their app's approval is revoked. */
export async function listRevokedIds(connection: Connection, ids: string[]): Promise<string[]> {
  const marks = connection.builder.selectFrom('revoked_installations').select('id').where('id', 'in', ids);
  const rows = await connection.rows(marks.compile());
  return rows.map(({ id }) => id);
}

const installationColumns = columns.installations.map((name) => `installations.${name}` as const);

/** All installations by id, each with its own id again if it has a revocation mark. */
export const streamMarkedInstallations = stream((db) =>
  db
    .selectFrom('installations')
    .leftJoin('revoked_installations', 'revoked_installations.id', 'installations.id')
    .select([...installationColumns, 'revoked_installations.id as mark'])
    .orderBy('installations.id'),
);

export async function updateInstallationsEnabled(
  connection: Connection,
  { ids, enabled }: { ids: string[]; enabled: InstallationRow['enabled'] },
): Promise<void> {
  const update = connection.builder.updateTable('installations').set({ enabled }).where('id', 'in', ids);
  await connection.run(update.compile());
}

/** Removes the revocation mark: only the workspace's choice counts from now on. */
export const deleteRevokedInstallation = change((db, { id }: { id: string }) =>
  db.deleteFrom('revoked_installations').where('id', '=', id),
);

export const deleteRevokedInstallations = change((db, { appId }: { appId: string }) =>
  db.deleteFrom('revoked_installations').where('app_id', '=', appId),
);
