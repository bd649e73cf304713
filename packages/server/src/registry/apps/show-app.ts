import type { OperatorApp } from '../../contract/operator-app.ts';
import { findAppWithMode } from '../../storage/queries/apps.ts';
import { appNotFound, requireAppId } from '../failure.ts';
import type { Registry } from '../registry.ts';
import { operatorView } from './app-view.ts';

/** The app as operators see it. Refuses with `app_not_found`. */
export async function showApp(registry: Registry, id: string): Promise<OperatorApp> {
  requireAppId(id);
  const app = await findAppWithMode(registry.storage.reader, { id });
  if (!app) throw appNotFound();
  return operatorView(registry, app, app.changes_to_approved);
}
