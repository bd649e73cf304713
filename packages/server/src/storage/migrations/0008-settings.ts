import type { Migration } from './migration.ts';

/**
 * The settings that all processes share, in one row. A program of an earlier version knows none of them: it takes
 * unique names from its environment.
 */
export const settings: Migration = {
  usableFrom: 1,
  up: (db, { text, integer, tableEnd }) => [
    db.schema
      .createTable('settings')
      .addColumn('revision', integer, (column) => column.notNull())
      .addColumn('content', text, (column) => column.notNull())
      .modifyEnd(tableEnd),
    db.insertInto('settings').values({ revision: 1, content: '{}' }),
  ],
};
