import type { QueryBuilder } from '../statement.ts';
import type { ColumnTypes, MigrationStep } from './migration.ts';

/** The trace of the request that made a change. Older programs leave it out. */
export function traces(db: QueryBuilder, { text }: ColumnTypes): MigrationStep[] {
  return [db.schema.alterTable('events').addColumn('traceparent', text)];
}
