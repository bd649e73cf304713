import { join } from 'node:path';
import { removeFolder, temporaryFolder } from './temporary-folder.ts';

/** A SQLite file to be, in a folder of its own, and what removes it. */
export function freshSqlite(parent?: string): { url: string; path: string; remove: () => void } {
  const folder = temporaryFolder('torture-', parent);
  const path = join(folder, 'registry.db');
  return { url: `sqlite:${path}`, path, remove: () => removeFolder(folder) };
}
