import { type RawBuilder, sql } from 'kysely';
import type { QueryBuilder } from '../statement.ts';
import type { ColumnTypes, Migration, MigrationStep } from './migration.ts';

/**
 * Only expands: older programs keep working beside this one, but record neither sessions, token use nor the time of a
 * submission. A program of version 3 reads all events of an app for each page of them.
 */
export const operatorConsole: Migration = {
  usableFrom: 1,
  up: (db, { text, integer, tableEnd, generated }) => [
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

    // Apps that an older program submits get the default and so come first in the queue.
    db.schema.alterTable('apps').addColumn('submitted_at', integer, (column) => column.notNull().defaultTo(0)),
    {
      table: 'apps',
      key: 'id',
      update: (rows) =>
        db
          .updateTable('apps')
          .set({ submitted_at: sql<number>`coalesce(${latestSubmission}, updated_at)` })
          .where('review_status', '=', 'AWAITING_REVIEW')
          .where(rows),
    },
    db.schema
      .createIndex('apps_in_review')
      .on('apps')
      .columns(['submitted_at', 'id'])
      .where(sql`review_status`, '=', sql`'AWAITING_REVIEW'`),
    ...(generated === 'virtual' ? changedSinceApprovalByTriggers(db, integer) : []),

    // One index for both lists of an app, all events and content events: each index adds a page to every update.
    db.schema.createIndex('events_of_app_by_class').on('events').columns(['app_id', classAndId]),
    db.schema.dropIndex('events_of_app'),
    db.schema.dropIndex('events_of_content'),

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

const classAndId = sql`(case when type in ('app.created', 'app.updated', 'app.transferred') then 'content ' else 'other ' end || id)`;

/**
 * SQLite does not compare values: an update rewrites every index that includes an updated column, or a column
 * generated from one. So the generated column becomes an ordinary one. Triggers maintain it for every program, and
 * write it only when its value changes.
 */
function changedSinceApprovalByTriggers(db: QueryBuilder, integer: ColumnTypes['integer']): MigrationStep[] {
  const indexes = ['id', 'name_key'].flatMap((order) => {
    const [rest, by] = order === 'id' ? [['id'], ''] : [['name_key', 'id'], '_by_name'];
    const state = ['review_status', 'changed_since_approval', ...rest];
    return [
      { name: `apps_in_state${by}`, columns: state },
      { name: `apps_of_developer_in_state${by}`, columns: ['developer_id', ...state] },
    ];
  });
  const trigger = (name: string, event: string) =>
    sql`create trigger ${sql.ref(name)} after ${sql.raw(event)} on apps
      when new.changed_since_approval <> coalesce(new.approved_revision <> new.revision, 0)
      begin
        update apps set changed_since_approval = 1 - changed_since_approval where id = new.id;
      end`;
  const statement = (text: RawBuilder<unknown>) => ({ compile: () => text.compile(db) });
  return [
    // Together: a program of version 3 reads the column.
    [
      ...indexes.map(({ name }) => db.schema.dropIndex(name)),
      db.schema.alterTable('apps').dropColumn('changed_since_approval'),
      db.schema
        .alterTable('apps')
        .addColumn('changed_since_approval', integer, (column) => column.notNull().defaultTo(0)),
      statement(sql`update apps set changed_since_approval = 1 where approved_revision <> revision`),
      statement(trigger('apps_inserted', 'insert')),
      statement(trigger('apps_revised', 'update of revision, approved_revision')),
    ],
    ...indexes.map(({ name, columns }) => db.schema.createIndex(name).on('apps').columns(columns)),
  ];
}
