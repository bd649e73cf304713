import type { QueryBuilder } from '../statement.ts';
import type { ColumnTypes, MigrationStep } from './migration.ts';

/** Shares the work of a webhook between processes, by shards of its queues. */
export function shareWebhooks(db: QueryBuilder, { text, integer, tableEnd }: ColumnTypes): MigrationStep[] {
  return [
    db.schema.alterTable('webhooks').addColumn('batch', integer, (column) => column.notNull().defaultTo(0)),
    db.schema.alterTable('webhooks').addColumn('requests_at_once', integer),
    db.schema
      .createTable('webhook_processes')
      .addColumn('id', text, (column) => column.notNull().primaryKey())
      .addColumn('beat', integer, (column) => column.notNull())
      .addColumn('without_key', text, (column) => column.notNull())
      .modifyEnd(tableEnd),
    db.schema
      .createTable('webhook_leases')
      .addColumn('webhook_id', text, (column) => column.notNull().references('webhooks.id').onDelete('cascade'))
      .addColumn('shard', integer, (column) => column.notNull())
      .addColumn('holder', text, (column) => column.references('webhook_processes.id').onDelete('set null'))
      .addPrimaryKeyConstraint('webhook_leases_pkey', ['webhook_id', 'shard'])
      .modifyEnd(tableEnd),
    db.schema.createIndex('webhook_leases_of_process').on('webhook_leases').column('holder'),
  ];
}
