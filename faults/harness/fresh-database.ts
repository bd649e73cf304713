import { join } from 'node:path';
import { PostgresCluster } from '@appregistrar/testkit/engines/postgres-cluster';
import { removeFolder, temporaryFolder } from '@appregistrar/testkit/system/temporary-folder';
import type { Run } from './run.ts';

/** The path of a SQLite file to create, in its own temporary folder. */
export function freshSqlite(parent?: string): { url: string; path: string; remove: () => void } {
  const folder = temporaryFolder('faults-', parent);
  const path = join(folder, 'registry.db');
  return { url: `sqlite:${path}`, path, remove: () => removeFolder(folder) };
}

/** The URL of an empty database, which is removed when the run ends. */
export async function freshUrl(run: Run, engine: string): Promise<string> {
  if (engine === 'sqlite') {
    const { url, remove } = freshSqlite();
    run.atEnd(remove);
    return url;
  }
  const cluster = await PostgresCluster.create();
  run.atEnd(() => cluster.remove());
  return cluster.url();
}
