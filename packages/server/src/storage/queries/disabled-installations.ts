import { sql } from 'kysely';
import { type Connection, change, find, list, stream } from '../query.ts';
import type { QueryBuilder } from '../statement.ts';
import { columns, type InstallationRow } from '../tables.ts';

const installationColumns = columns.installations.map((name) => `installations.${name}` as const);

/** Installations, each with its own id again if it has a revocation mark. */
function markedInstallations(db: QueryBuilder) {
  return db
    .selectFrom('installations')
    .leftJoin('revoked_installations', 'revoked_installations.id', 'installations.id')
    .select([...installationColumns, 'revoked_installations.id as mark']);
}

export const findMarkedInstallation = find((db, { id }: { id: string }) =>
  markedInstallations(db).where('installations.id', '=', id),
);

/** The next installations of an app, by creation. */
export const listMarkedInstallations = list(
  (db, { appId, createdAt, id, limit }: { appId: string; createdAt: number; id: string; limit: number }) =>
    markedInstallations(db)
      .where('installations.app_id', '=', appId)
      .where(sql<boolean>`(installations.created_at, installations.id) > (${createdAt}, ${id})`)
      .orderBy('installations.created_at')
      .orderBy('installations.id')
      .limit(limit),
);

/** All installations of these apps. */
export async function listMarkedInstallationsOf(connection: Connection, appIds: string[]) {
  return connection.rows(
    markedInstallations(connection.builder)
      .where('installations.app_id', 'in', appIds)
      .orderBy('installations.app_id')
      .orderBy('installations.created_at')
      .orderBy('installations.id')
      .compile(),
  );
}

/** The next installations of an app that have a revocation mark. */
export const listRevokedInstallations = list((db, { appId, id, limit }: { appId: string; id: string; limit: number }) =>
  db
    .selectFrom('revoked_installations')
    .innerJoin('installations', 'installations.id', 'revoked_installations.id')
    .select([...installationColumns, 'revoked_installations.id as mark'])
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

/** All installations by id, each with its own id again if it has a revocation mark. */
export const streamMarkedInstallations = stream((db) => markedInstallations(db).orderBy('installations.id'));

/** Stores the same causes for all of these installations. */
export async function updateInstallationCauses(
  connection: Connection,
  { ids, enabled, disabled_by }: { ids: string[] } & Pick<InstallationRow, 'enabled' | 'disabled_by'>,
): Promise<void> {
  const update = connection.builder.updateTable('installations').set({ enabled, disabled_by }).where('id', 'in', ids);
  await connection.run(update.compile());
}

/** Removes the marks of these installations. */
export async function deleteRevokedInstallationsIn(connection: Connection, ids: string[]): Promise<void> {
  await connection.run(connection.builder.deleteFrom('revoked_installations').where('id', 'in', ids).compile());
}

/** Removes the revocation mark: only the workspace's choice counts from now on. */
export const deleteRevokedInstallation = change((db, { id }: { id: string }) =>
  db.deleteFrom('revoked_installations').where('id', '=', id),
);

export const deleteRevokedInstallations = change((db, { appId }: { appId: string }) =>
  db.deleteFrom('revoked_installations').where('app_id', '=', appId),
);
