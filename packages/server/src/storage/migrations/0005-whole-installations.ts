import type { Migration } from './migration.ts';

/**
 * The index of an app's installations holds all of each, so that neither a long list nor a short one looks up every row
 * by itself: where many apps have grown side by side, each would be on a page of its own.
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
