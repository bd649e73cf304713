import { sql } from 'kysely';
import type { QueryBuilder } from '../statement.ts';
import type { ColumnTypes, MigrationStep } from './migration.ts';

/** How long what was decided on had waited, and installations made and deleted. Older programs leave both out. */
export function statistics(db: QueryBuilder, { text, integer, tableEnd }: ColumnTypes): MigrationStep[] {
  return [
    db.schema.alterTable('decisions').addColumn('waiting_since', integer),
    db.schema.createIndex('decisions_by_time').on('decisions').columns(['decided_at', 'step', 'waiting_since']),
    db.schema
      .createTable('weekly_installations')
      .addColumn('week', integer, (column) => column.notNull())
      .addColumn('app_id', text, (column) => column.notNull())
      .addColumn('created', integer, (column) => column.notNull().defaultTo(sql`0`))
      .addColumn('deleted', integer, (column) => column.notNull().defaultTo(sql`0`))
      .addPrimaryKeyConstraint('weekly_installations_pkey', ['week', 'app_id'])
      .modifyEnd(tableEnd),
    db.schema
      .createTable('counted_events')
      .addColumn('epoch', text, (column) => column.notNull().primaryKey())
      .addColumn('position', integer, (column) => column.notNull())
      .addColumn('id', text, (column) => column.notNull())
      .modifyEnd(tableEnd),
  ];
}
