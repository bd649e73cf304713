import type { Migration } from './migration.ts';

/** Only expands: older programs keep working beside this one, but delete by a clock that they do not observe. */
export const clockObservations: Migration = {
  usableFrom: 1,
  up: (db, { text, integer, tableEnd }) => [
    db.schema
      .createTable('clock_observations')
      .addColumn('boot_id', text, (column) => column.notNull().primaryKey())
      .addColumn('observed_at', integer, (column) => column.notNull())
      .addColumn('uptime_ms', integer, (column) => column.notNull())
      .modifyEnd(tableEnd),
  ],
};
