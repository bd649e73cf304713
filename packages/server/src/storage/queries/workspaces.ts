import { sql } from 'kysely';
import type { Connection } from '../query.ts';

interface WorkspaceOfApp {
  app_id: string;
  installation_count: number;
  /** Both null when the app is installed nowhere. */
  installation_id: string | null;
  workspace_id: string | null;
}

/** The apps that are there of these, each with the workspaces of its first installations, so many at most. */
export async function listWorkspacesOfApps(
  connection: Connection,
  { appIds, limit }: { appIds: string[]; limit: number },
): Promise<WorkspaceOfApp[]> {
  const ofEach = appIds.map((appId) => ofApp(appId, limit));
  const query = sql<WorkspaceOfApp>`${sql.join(ofEach, sql` union all `)} order by app_id, installation_id`;
  return connection.rows(query.compile(connection.builder));
}

function ofApp(appId: string, limit: number) {
  // No equality: PostgreSQL would leave the column out of the order, and might look through all installations by id.
  const first = sql`select id as installation_id, workspace_id from installations
    where (app_id, id) > (${appId}, '') and app_id <= ${appId} order by app_id, id limit ${limit}`;
  return sql`select apps.id as app_id, installation_count, installation_id, workspace_id
    from apps left join (${first}) as first on true where apps.id = ${appId}`;
}
