import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/**
 * Expands only: programs of the versions before sign nobody in, note no use of a token and no time of a submission, and
 * go on working beside this one.
 */
export const operatorConsole: Migration = {
  usableFrom: 1,
  up: (db, { text, integer, tableEnd }) => [
    db.schema
      .createTable('sessions')
      .addColumn('hash', text, (column) => column.notNull().primaryKey())
      .addColumn('token_id', text, (column) => column.references('access_tokens.id'))
      .addColumn('holder', text)
      .addColumn('created_at', integer, (column) => column.notNull())
      .addColumn('expires_at', integer, (column) => column.notNull())
      .modifyEnd(tableEnd),
    db.schema.createIndex('sessions_by_expiry').on('sessions').column('expires_at'),

    db.schema.alterTable('access_tokens').addColumn('last_used_at', integer),

    // What an older program submits beside this one has the default, and so comes first in the queue.
    db.schema.alterTable('apps').addColumn('submitted_at', integer, (column) => column.notNull().defaultTo(0)),
    db
      .updateTable('apps')
      .set({ submitted_at: sql<number>`coalesce(${latestSubmission}, updated_at)` })
      .where('review_status', '=', 'AWAITING_REVIEW'),
    db.schema
      .createIndex('apps_in_review')
      .on('apps')
      .columns(['submitted_at', 'id'])
      .where(sql`review_status`, '=', sql`'AWAITING_REVIEW'`),

    db.schema
      .createTable('daily_counts')
      .addColumn('day', text, (column) => column.notNull().primaryKey())
      .addColumn('draft_apps', integer, (column) => column.notNull())
      .addColumn('awaiting_review_apps', integer, (column) => column.notNull())
      .addColumn('approved_apps', integer, (column) => column.notNull())
      .addColumn('rejected_apps', integer, (column) => column.notNull())
      .addColumn('installations', integer, (column) => column.notNull())
      .addColumn('counted_at', integer, (column) => column.notNull())
      .modifyEnd(tableEnd),
  ],
};

const latestSubmission = sql`(select max(occurred_at) from events where app_id = apps.id and type = 'app.submitted')`;
