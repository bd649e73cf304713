import type { Reader } from '../../storage/statement.ts';
import type { AppRow, InstallationRow } from '../../storage/tables.ts';

export type ChangedAppRow = Pick<AppRow, 'id' | 'name' | 'developer_id' | 'installation_count'>;

/** The existing ones of these apps. */
export async function listChangedApps(connection: Reader, ids: string[]): Promise<ChangedAppRow[]> {
  const apps = connection.builder
    .selectFrom('apps')
    .select(['id', 'name', 'developer_id', 'installation_count'])
    .where('id', 'in', ids);
  return connection.rows(apps.compile());
}

/** The workspaces of the existing ones of these installations. */
export async function listWorkspacesOfInstallations(
  connection: Reader,
  ids: string[],
): Promise<Pick<InstallationRow, 'id' | 'workspace_id'>[]> {
  const installations = connection.builder
    .selectFrom('installations')
    .select(['id', 'workspace_id'])
    .where('id', 'in', ids);
  return connection.rows(installations.compile());
}
