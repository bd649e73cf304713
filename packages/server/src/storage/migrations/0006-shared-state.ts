import type { SettingsRow } from '../tables.ts';
import type { Migration } from './migration.ts';

/**
 * Only expands: older programs keep working beside this one. But they delete by a clock that they do not observe, count no
 * stored bytes, and take unique names from their environment. They respond with 500 to a retry whose first response this
 * program has stored without its long texts, and their `check` misses events that are archived.
 */
export const sharedState: Migration = {
  usableFrom: 1,
  up: (db, { text, integer, tableEnd }) => [
    // What the clock of each machine has said.
    db.schema
      .createTable('clock_observations')
      .addColumn('boot_id', text, (column) => column.notNull().primaryKey())
      .addColumn('observed_at', integer, (column) => column.notNull())
      .addColumn('uptime_ms', integer, (column) => column.notNull())
      .modifyEnd(tableEnd),

    // Long texts of responses to idempotency keys, where no event holds them. Each text is stored once.
    db.schema
      .createTable('response_texts')
      .addColumn('hash', text, (column) => column.notNull().primaryKey())
      .addColumn('text', text, (column) => column.notNull())
      .addColumn('used_at', integer, (column) => column.notNull())
      .modifyEnd(tableEnd),
    db.schema.createIndex('response_texts_by_use').on('response_texts').column('used_at'),

    // What the updates of each developer have stored on a day.
    db.schema
      .createTable('stored_bytes')
      .addColumn('day', text, (column) => column.notNull())
      .addColumn('developer_id', text, (column) => column.notNull())
      .addColumn('bytes', integer, (column) => column.notNull())
      .addPrimaryKeyConstraint('stored_bytes_pkey', ['day', 'developer_id'])
      .modifyEnd(tableEnd),

    db.schema
      .createTable('event_archives')
      .addColumn('number', integer, (column) => column.notNull().primaryKey())
      .addColumn('id', text, (column) => column.notNull().unique())
      .addColumn('sha256', text, (column) => column.notNull())
      .addColumn('events', integer, (column) => column.notNull())
      .addColumn('last_event_id', text, (column) => column.notNull())
      .addColumn('last_occurred_at', integer, (column) => column.notNull())
      .addColumn('state', text, (column) => column.notNull())
      .addColumn('moved', integer, (column) => column.notNull())
      .addColumn('created_at', integer, (column) => column.notNull())
      .modifyEnd(tableEnd),
    // Without it, the deletion of each event would scan all deliveries.
    db.schema.createIndex('deliveries_of_event').on('deliveries').column('event_id'),

    // The settings that all processes share, in one row. Together: a program of version 6 needs the row.
    [
      db.schema
        .createTable('settings')
        .addColumn('revision', integer, (column) => column.notNull())
        .addColumn('content', text, (column) => column.notNull())
        .modifyEnd(tableEnd),
      db.insertInto('settings').values({ revision: 1, content: '{}' } as SettingsRow),
    ],
  ],
};
