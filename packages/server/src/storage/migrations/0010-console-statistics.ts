import type { QueryBuilder } from '../statement.ts';
import type { ColumnTypes, MigrationStep } from './migration.ts';

/** How long what was decided on had waited. */
export function statistics(_db: QueryBuilder, _types: ColumnTypes): MigrationStep[] {
  return [];
}
