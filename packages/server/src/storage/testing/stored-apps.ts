import type { Reader } from '../statement.ts';
import { type AppRow, type ComparisonKeyRow, columns } from '../tables.ts';

/** All apps, by id. */
export function listStoredApps(reader: Reader): Promise<AppRow[]> {
  return reader.rows(reader.builder.selectFrom('apps').select(columns.apps).orderBy('id').compile());
}

/** All names and hosts of apps, by app. */
export function listStoredComparisonKeys(reader: Reader): Promise<ComparisonKeyRow[]> {
  const query = reader.builder.selectFrom('app_comparison_keys').select(columns.app_comparison_keys);
  return reader.rows(query.orderBy('app_id').orderBy('source').orderBy('field').compile());
}
