import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Migration } from './migration.ts';

export const foundation: Migration = {
  usableFrom: 1,
  up: (db, { text, integer, bytes, tableEnd }) => [
    db.schema
      .createTable('schema_version')
      .addColumn('version', integer, (column) => column.notNull())
      .addColumn('usable_from', integer, (column) => column.notNull())
      .modifyEnd(tableEnd),

    db.schema
      .createTable('registry_epoch')
      .addColumn('epoch', text, (column) => column.notNull())
      .modifyEnd(tableEnd),
    db.insertInto('registry_epoch').values({ epoch: randomUUID() }),

    db.schema
      .createTable('developers')
      .addColumn('user_id', text, (column) => column.notNull().primaryKey())
      .addColumn('email', text, (column) => column.notNull())
      .addColumn('first_name', text)
      .addColumn('last_name', text)
      .addColumn('created_at', integer, (column) => column.notNull())
      .addColumn('updated_at', integer, (column) => column.notNull())
      .modifyEnd(tableEnd),

    db.schema
      .createTable('logos')
      .addColumn('id', text, (column) => column.notNull().primaryKey())
      .addColumn('developer_id', text, (column) => column.notNull().references('developers.user_id'))
      .addColumn('png', bytes, (column) => column.notNull())
      .addColumn('created_at', integer, (column) => column.notNull())
      .modifyEnd(tableEnd),

    db.schema
      .createTable('apps')
      .addColumn('id', text, (column) => column.notNull().primaryKey())
      .addColumn('developer_id', text, (column) => column.notNull().references('developers.user_id'))
      .addColumn('name', text, (column) => column.notNull())
      .addColumn('name_key', text, (column) => column.notNull())
      .addColumn('name_claim', text)
      .addColumn('logo_id', text, (column) => column.references('logos.id'))
      .addColumn('short_description', text)
      .addColumn('long_description', text)
      .addColumn('background_color', text, (column) => column.notNull())
      .addColumn('login_url', text)
      .addColumn('callback_url', text)
      .addColumn('review_status', text, (column) => column.notNull())
      .addColumn('rejection_reason', text)
      .addColumn('approved_content', text)
      .addColumn('approved_revision', integer)
      .addColumn('installation_count', integer, (column) => column.notNull())
      .addColumn('revision', integer, (column) => column.notNull())
      .addColumn('platform_revision', integer, (column) => column.notNull())
      .addColumn('created_at', integer, (column) => column.notNull())
      .addColumn('updated_at', integer, (column) => column.notNull())
      .modifyEnd(tableEnd),
    db.schema.createIndex('apps_name_claim').on('apps').column('name_claim').unique(),
    // Finds apps without a name claim after UNIQUE_NAMES was turned on.
    db.schema.createIndex('apps_unclaimed').on('apps').column('name_key').where(sql`name_claim`, 'is', null),

    db.schema
      .createTable('installations')
      .addColumn('id', text, (column) => column.notNull().primaryKey())
      .addColumn('app_id', text, (column) => column.notNull().references('apps.id'))
      .addColumn('workspace_id', text, (column) => column.notNull())
      .addColumn('user_id', text, (column) => column.notNull())
      .addColumn('enabled', integer, (column) => column.notNull())
      .addColumn('created_at', integer, (column) => column.notNull())
      .addUniqueConstraint('installations_app_id_workspace_id', ['app_id', 'workspace_id'])
      .modifyEnd(tableEnd),
    db.schema.createIndex('installations_of_app').on('installations').columns(['app_id', 'created_at', 'id']),

    db.schema
      .createTable('access_tokens')
      .addColumn('id', text, (column) => column.notNull().primaryKey())
      .addColumn('kind', text, (column) => column.notNull())
      .addColumn('developer_id', text, (column) => column.references('developers.user_id'))
      .addColumn('name', text)
      .addColumn('hash', text, (column) => column.notNull())
      .addColumn('created_at', integer, (column) => column.notNull())
      .addColumn('expires_at', integer, (column) => column.notNull())
      .addColumn('revoked_at', integer)
      .addUniqueConstraint('access_tokens_hash', ['hash'])
      .modifyEnd(tableEnd),

    db.schema
      .createTable('events')
      .addColumn('id', text, (column) => column.notNull().primaryKey())
      .addColumn('type', text, (column) => column.notNull())
      .addColumn('occurred_at', integer, (column) => column.notNull())
      .addColumn('app_id', text)
      .addColumn('subject_id', text, (column) => column.notNull())
      .addColumn('actor', text, (column) => column.notNull())
      .addColumn('request_id', text)
      .addColumn('before', text)
      .addColumn('after', text)
      .modifyEnd(tableEnd),
    db.schema.createIndex('events_of_app').on('events').columns(['app_id', 'id']),
  ],
};
