import { sql } from 'kysely';
import type { QueryBuilder } from '../statement.ts';
import type { ColumnTypes, MigrationStep } from './migration.ts';

/**
 * What reviewers share beside decisions: claims, notes and templates of reasons. Older programs leave a claim where they
 * decide, until it expires, and the notes of an app that they purge.
 */
export function reviewMode(db: QueryBuilder, { text, integer, tableEnd }: ColumnTypes): MigrationStep[] {
  return [
    db.schema
      .createTable('review_claims')
      .addColumn('app_id', text, (column) => column.notNull().primaryKey().references('apps.id').onDelete('cascade'))
      .addColumn('actor', text, (column) => column.notNull())
      .addColumn('claimed_at', integer, (column) => column.notNull())
      .addColumn('expires_at', integer, (column) => column.notNull())
      .modifyEnd(tableEnd),
    // Without a reference to the app: they stay while it is deleted and can be restored.
    db.schema
      .createTable('review_notes')
      .addColumn('id', text, (column) => column.notNull().primaryKey())
      .addColumn('app_id', text, (column) => column.notNull())
      .addColumn('text', text, (column) => column.notNull())
      .addColumn('actor', text, (column) => column.notNull())
      .addColumn('created_at', integer, (column) => column.notNull())
      .modifyEnd(tableEnd),
    db.schema.createIndex('review_notes_of_app').on('review_notes').columns(['app_id', 'id']),
    db.schema
      .createTable('reason_templates')
      .addColumn('id', text, (column) => column.notNull().primaryKey())
      .addColumn('title', text, (column) => column.notNull())
      .addColumn('message', text, (column) => column.notNull())
      .addColumn('code', text)
      .addColumn('created_at', integer, (column) => column.notNull())
      .addColumn('updated_at', integer, (column) => column.notNull())
      .modifyEnd(tableEnd),
    db.schema.createIndex('reason_templates_by_title').on('reason_templates').columns(['title', 'id']),
    // Counts how often a developer was suspended.
    db.schema
      .createIndex('events_of_suspension')
      .on('events')
      .columns(['subject_id', 'id'])
      .where(sql`type`, '=', sql`'developer.suspended'`),
  ];
}
