import { sql } from 'kysely';
import type { Connection } from '../../storage/query.ts';

interface WorkspaceOfApp {
  app_id: string;
  installation_count: number;
  /** Both null if the app is not installed. */
  installation_id: string | null;
  workspace_id: string | null;
}

/** The existing ones of these apps, each with the workspaces of its first installations, up to a limit. */
export async function listWorkspacesOfApps(
  connection: Connection,
  { appIds, limit }: { appIds: string[]; limit: number },
): Promise<WorkspaceOfApp[]> {
  const ofEach = appIds.map((appId) => ofApp(appId, limit));
  const query = sql<WorkspaceOfApp>`${sql.join(ofEach, sql` union all `)} order by app_id, installation_id`;
  return connection.rows(query.compile(connection.builder));
}

function ofApp(appId: string, limit: number) {
  const first = sql`select id as installation_id, workspace_id from installations
    where app_id = ${appId} order by created_at, id limit ${limit}`;
  return sql`select apps.id as app_id, installation_count, installation_id, workspace_id
    from apps left join (${first}) as first on true where apps.id = ${appId}`;
}
