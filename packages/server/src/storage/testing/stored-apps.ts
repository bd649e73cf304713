import type { Reader } from '../statement.ts';
import { type AppIdentityRow, type AppRow, columns } from '../tables.ts';

/** All apps, by id. */
export function listStoredApps(reader: Reader): Promise<AppRow[]> {
  return reader.rows(reader.builder.selectFrom('apps').select(columns.apps).orderBy('id').compile());
}

/** All names and hosts of apps, by app. */
export function listStoredIdentities(reader: Reader): Promise<AppIdentityRow[]> {
  const query = reader.builder.selectFrom('app_identities').select(columns.app_identities);
  return reader.rows(query.orderBy('app_id').orderBy('source').orderBy('field').compile());
}
