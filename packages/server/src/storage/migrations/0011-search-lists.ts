import type { QueryBuilder } from '../statement.ts';
import type { MigrationStep } from './migration.ts';

/**
 * The orders that lists can be sorted by. None of these columns changes when an app is updated or a token used: an index of
 * those that do would make each update more expensive.
 */
export function sortedLists(db: QueryBuilder): MigrationStep[] {
  return [
    db.schema.createIndex('developers_by_email').on('developers').columns(['email', 'user_id']),
    db.schema.createIndex('developers_by_creation').on('developers').columns(['created_at', 'user_id']),
    db.schema
      .createIndex('deleted_apps_of_developer_by_time')
      .on('deleted_apps')
      .columns(['developer_id', 'deleted_at', 'id']),
    db.schema.createIndex('access_tokens_by_expiry').on('access_tokens').columns(['expires_at', 'id']),
    db.schema.createIndex('access_tokens_of_kind_by_expiry').on('access_tokens').columns(['kind', 'expires_at', 'id']),
    db.schema
      .createIndex('access_tokens_of_developer_by_expiry')
      .on('access_tokens')
      .columns(['developer_id', 'expires_at', 'id']),
  ];
}
