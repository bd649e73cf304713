import type { Registry } from '../../kernel/registry.ts';
import type { InstalledApp } from '../events/event-query.ts';
import { listWorkspacesOfApps } from './workspace-queries.ts';

/** The number of installations of each of these apps, and the first 100 workspaces. */
export async function listInstalledApps({ storage }: Registry, appIds: string[]): Promise<InstalledApp[]> {
  if (appIds.length === 0) return [];
  const rows = await listWorkspacesOfApps(storage.reader, { appIds, limit: workspacesMax });
  const rowsOfApps = Map.groupBy(rows, ({ app_id }) => app_id);
  return appIds.map((appId) => {
    const found = rowsOfApps.get(appId) ?? [];
    return {
      appId,
      installationCount: found[0]?.installation_count ?? 0,
      workspaceIds: found.flatMap(({ workspace_id }) => workspace_id ?? []),
    };
  });
}

const workspacesMax = 100;
