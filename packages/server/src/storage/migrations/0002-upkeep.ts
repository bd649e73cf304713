import type { Migration } from './migration.ts';

/** Only expands: programs of version 1 keep working beside version 2. */
export const upkeep: Migration = {
  usableFrom: 1,
  up: (db, { text, integer, tableEnd }) => [
    // Deleted apps leave `apps`, so that no query and no older program returns them.
    db.schema
      .createTable('deleted_apps')
      .addColumn('id', text, (column) => column.notNull().primaryKey())
      .addColumn('developer_id', text, (column) => column.notNull().references('developers.user_id'))
      .addColumn('row', text, (column) => column.notNull())
      .addColumn('deleted_at', integer, (column) => column.notNull())
      .modifyEnd(tableEnd),
    db.schema.createIndex('deleted_apps_by_time').on('deleted_apps').columns(['deleted_at', 'id']),

    db.schema
      .createTable('revoked_installations')
      .addColumn('id', text, (column) =>
        column.notNull().primaryKey().references('installations.id').onDelete('cascade'),
      )
      .addColumn('app_id', text, (column) => column.notNull().references('apps.id'))
      .modifyEnd(tableEnd),
    db.schema.createIndex('revoked_installations_of_app').on('revoked_installations').columns(['app_id', 'id']),
    db.schema.createIndex('installations_of_app_by_id').on('installations').columns(['app_id', 'id']),
    db.schema.createIndex('installations_of_workspace').on('installations').columns(['workspace_id', 'id']),
    db.schema.createIndex('installations_of_user').on('installations').columns(['user_id', 'id']),

    db.schema.createIndex('apps_of_developer').on('apps').columns(['developer_id', 'id']),
    db.schema.createIndex('apps_by_review_status').on('apps').columns(['review_status', 'id']),
    db.schema.createIndex('apps_by_name').on('apps').columns(['name_key', 'id']),
    db.schema.createIndex('logos_of_developer').on('logos').columns(['developer_id', 'id']),
    db.schema.alterTable('access_tokens').addColumn('updates_per_minute', integer),
    db.schema.alterTable('access_tokens').addColumn('reads_per_minute', integer),
    db.schema.createIndex('access_tokens_of_developer').on('access_tokens').columns(['developer_id', 'id']),

    db.schema
      .createTable('idempotency_keys')
      .addColumn('token_id', text, (column) => column.notNull().references('access_tokens.id'))
      .addColumn('key', text, (column) => column.notNull())
      .addColumn('request_hash', text, (column) => column.notNull())
      .addColumn('answer', text, (column) => column.notNull())
      .addColumn('created_at', integer, (column) => column.notNull())
      .addPrimaryKeyConstraint('idempotency_keys_pkey', ['token_id', 'key'])
      .modifyEnd(tableEnd),
    db.schema.createIndex('idempotency_keys_by_time').on('idempotency_keys').column('created_at'),
  ],
};
