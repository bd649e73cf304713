import type { QueryBuilder } from '../statement.ts';
import type { ColumnTypes, MigrationStep } from './migration.ts';

/**
 * The last request of each delivery, with its response. That of a batch belongs to its first delivery, which the others
 * name. Each is deleted with its delivery. Older programs record none: theirs differ in time from the delivery.
 */
export function deliveryRequests(db: QueryBuilder, { text, integer, tableEnd }: ColumnTypes): MigrationStep[] {
  return [
    db.schema.alterTable('deliveries').addColumn('sent_with', text),
    db.schema
      .createTable('delivery_requests')
      .addColumn('delivery_id', text, (column) =>
        column.notNull().primaryKey().references('deliveries.id').onDelete('cascade'),
      )
      .addColumn('recorded_at', integer, (column) => column.notNull())
      .addColumn('sent_at', integer, (column) => column.notNull())
      .addColumn('duration_ms', integer, (column) => column.notNull())
      .addColumn('url', text, (column) => column.notNull())
      .addColumn('user_agent', text, (column) => column.notNull())
      .addColumn('event_ids', text)
      .addColumn('response', text)
      .modifyEnd(tableEnd),
  ];
}
