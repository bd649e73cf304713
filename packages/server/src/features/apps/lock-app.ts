import { appNotFound, requireAppId } from '../../kernel/failure.ts';
import type { Connection } from '../../storage/query.ts';
import type { AppRow } from '../../storage/tables.ts';
import { findAppForUpdate } from './app-queries.ts';

/** Reads an app and locks it until the transaction ends. Refuses with `app_not_found`. */
export async function lockApp(transaction: Connection, id: string): Promise<AppRow> {
  requireAppId(id);
  const app = await findAppForUpdate(transaction, { id });
  if (!app) throw appNotFound();
  return app;
}
