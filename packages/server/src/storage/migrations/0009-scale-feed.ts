import { sql } from 'kysely';
import type { QueryBuilder } from '../statement.ts';
import type { ColumnTypes, MigrationStep } from './migration.ts';

/**
 * The place of each event in the feed (0034). On SQLite the id is enough. On PostgreSQL older programs fill it too, by the
 * default: the greater of the latest finished transaction, as the inserting statement sees it, and its own.
 */
export function feed(db: QueryBuilder, { integer, generated }: ColumnTypes): MigrationStep[] {
  if (generated === 'virtual') return [];
  const position = sql`greatest(pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1, pg_current_xact_id()::text::bigint)`;
  return [
    // A constant first, which existing rows get without being written.
    [
      db.schema.alterTable('events').addColumn('position', integer, (column) => column.notNull().defaultTo(0)),
      db.schema.alterTable('events').alterColumn('position', (column) => column.setDefault(position)),
    ],
    db.schema.createIndex('events_feed').on('events').columns(['position', 'id']),
  ];
}
