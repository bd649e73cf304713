import type { Migration } from './migration.ts';

/**
 * Only expands: older programs keep working beside this one. They count revisions and leave the stamps as they are, so
 * what they change is identified by its number alone.
 */
export const revisionStamps: Migration = {
  usableFrom: 1,
  up: (db, { text }) => [
    // Random for each revision; null until this program makes one.
    db.schema.alterTable('apps').addColumn('revision_stamp', text),
    db.schema.alterTable('apps').addColumn('platform_revision_stamp', text),
    db.schema.alterTable('settings').addColumn('revision_stamp', text),
  ],
};
