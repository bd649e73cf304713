import type { Migration } from './migration.ts';

/**
 * The index of an app's installations covers all columns, so that no list looks up rows one by one. Where many apps
 * have grown in parallel, each row would be on another page.
 */
export const wholeInstallations: Migration = {
  usableFrom: 1,
  up: (db) => [
    db.schema
      .createIndex('whole_installations_of_app')
      .on('installations')
      .columns(['app_id', 'created_at', 'id', 'workspace_id', 'user_id', 'enabled']),
    db.schema.dropIndex('installations_of_app'),
  ],
};
