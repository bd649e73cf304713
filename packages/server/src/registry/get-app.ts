import type { PlatformApp } from '../contract/app.ts';
import { findPlatformRevision, listPlatformRows } from '../storage/apps.ts';
import { platformView } from './app-view.ts';
import { appNotFound, requireAppId } from './failure.ts';
import type { Registry } from './registry.ts';

/** Get App (interface 4.2): the app with its developer and all its installations, of one moment. */
export async function getApp(registry: Registry, id: string): Promise<{ app: PlatformApp; revision: number }> {
  requireAppId(id);
  const [first, ...rest] = await listPlatformRows(registry.storage.reader, { id });
  if (!first) throw appNotFound();
  return { app: platformView(registry, [first, ...rest]), revision: first.platform_revision };
}

/** The number that changes with anything `getApp` shows, for a caller who may have it already. */
export async function getAppRevision(registry: Registry, id: string): Promise<number> {
  requireAppId(id);
  const row = await findPlatformRevision(registry.storage.reader, { id });
  if (!row) throw appNotFound();
  return row.platform_revision;
}
