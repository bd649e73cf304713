import type { QueryBuilder } from '../statement.ts';
import type { ColumnTypes, MigrationStep } from './migration.ts';

/** What names are found by, from any part of them. */
export function search(_db: QueryBuilder, _types: ColumnTypes): MigrationStep[] {
  return [];
}
