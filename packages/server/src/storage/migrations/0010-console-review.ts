import type { QueryBuilder } from '../statement.ts';
import type { ColumnTypes, MigrationStep } from './migration.ts';

/** What reviewers share beside decisions: claims, notes and templates of reasons. */
export function reviewMode(_db: QueryBuilder, _types: ColumnTypes): MigrationStep[] {
  return [];
}
