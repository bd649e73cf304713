import { type RawBuilder, sql } from 'kysely';
import type { QueryBuilder } from '../statement.ts';
import type { ColumnTypes, Migration, MigrationStatement, MigrationStep } from './migration.ts';

/**
 * Only expands: older programs keep working beside this one. Webhooks receive no events that older programs
 * append, so create webhooks only once every process is replaced.
 */
export const operatorPlane: Migration = {
  usableFrom: 1,
  up: (db, { text, integer, sequence, tableEnd, generated }) => [
    db.schema.alterTable('access_tokens').addColumn('scopes', text),
    db.schema.createIndex('access_tokens_of_kind').on('access_tokens').columns(['kind', 'id']),
    db.schema
      .createIndex('access_tokens_of_developer_and_kind')
      .on('access_tokens')
      .columns(['developer_id', 'kind', 'id']),

    // Generated, so that it is correct whichever program changes a revision. On PostgreSQL, an index over the revisions
    // themselves would make each update of an app more expensive.
    ...(generated === 'by trigger'
      ? changedSinceApprovalByTrigger(db, integer)
      : [
          db.schema.alterTable('apps').addColumn('changed_since_approval', integer, (column) => {
            const value = column.generatedAlwaysAs(sql`case when approved_revision <> revision then 1 else 0 end`);
            return generated === 'stored' ? value.stored() : value;
          }),
        ]),
    // With `apps_by_name`, these serve every combination of filters. The two they replace served one filter each.
    ...['id', 'name_key'].flatMap((order) => {
      const [rest, by] = order === 'id' ? [['id'], ''] : [['name_key', 'id'], '_by_name'];
      const state = ['review_status', 'changed_since_approval', ...rest];
      return [
        db.schema.createIndex(`apps_in_state${by}`).on('apps').columns(state),
        db.schema
          .createIndex(`apps_of_developer_in_state${by}`)
          .on('apps')
          .columns(['developer_id', ...state]),
      ];
    }),
    db.schema.dropIndex('apps_by_review_status'),
    db.schema.dropIndex('apps_of_developer'),
    db.schema.createIndex('deleted_apps_of_developer').on('deleted_apps').columns(['developer_id', 'id']),
    db.schema.createIndex('installations_of_app_by_user').on('installations').columns(['app_id', 'user_id', 'id']),
    db.schema
      .createIndex('installations_of_workspace_by_user')
      .on('installations')
      .columns(['workspace_id', 'user_id', 'id']),

    db.schema.alterTable('events').addColumn('details', text),
    // Finds who reviewed an app, among any number of its installations' events.
    db.schema
      .createIndex('events_of_review')
      .on('events')
      .columns(['app_id', 'id'])
      .where(sql`type`, 'in', reviewEvents),

    // Without its reference to `access_tokens`: tokens of an identity provider have no row there.
    generated === 'virtual' ? copiedIdempotencyKeys(db, { text, integer, tableEnd }) : unreferencedIdempotencyKeys(db),

    db.schema
      .createTable('webhooks')
      .addColumn('id', text, (column) => column.notNull().primaryKey())
      .addColumn('url', text, (column) => column.notNull())
      .addColumn('name', text)
      .addColumn('types', text)
      .addColumn('secret', text, (column) => column.notNull())
      .addColumn('previous_secret', text)
      .addColumn('previous_secret_until', integer)
      .addColumn('created_at', integer, (column) => column.notNull())
      .addColumn('updated_at', integer, (column) => column.notNull())
      .addColumn('disabled_at', integer)
      .addColumn('disabled_reason', text)
      .addColumn('failing_since', integer)
      .addColumn('lease_holder', text)
      .addColumn('lease_beat', integer, (column) => column.notNull())
      .modifyEnd(tableEnd),

    db.schema
      .createTable('deliveries')
      .addColumn('position', sequence)
      .addColumn('id', text, (column) => column.notNull().unique())
      .addColumn('webhook_id', text, (column) => column.notNull().references('webhooks.id').onDelete('cascade'))
      .addColumn('event_id', text, (column) => column.notNull().references('events.id'))
      .addColumn('queue', text, (column) => column.notNull())
      .addColumn('state', text, (column) => column.notNull())
      .addColumn('attempts', integer, (column) => column.notNull())
      .addColumn('due_at', integer, (column) => column.notNull())
      .addColumn('created_at', integer, (column) => column.notNull())
      .addColumn('attempted_at', integer)
      .addColumn('finished_at', integer)
      .addColumn('answer_status', integer)
      .addColumn('answer', text)
      .modifyEnd(tableEnd),
    // The pending deliveries, by queue and in order.
    db.schema
      .createIndex('deliveries_pending')
      .on('deliveries')
      .columns(['webhook_id', 'queue', 'position'])
      .where(sql`state`, '=', sql`'pending'`),
    db.schema.createIndex('deliveries_of_webhook').on('deliveries').columns(['webhook_id', 'id']),
    db.schema.createIndex('deliveries_of_webhook_by_state').on('deliveries').columns(['webhook_id', 'state', 'id']),
    db.schema
      .createIndex('deliveries_finished')
      .on('deliveries')
      .column('finished_at')
      .where(sql`finished_at`, 'is not', null),

    db.schema.createIndex('events_of_actor').on('events').columns(['actor', 'id']),
    // Finds the changes of an app's content, among any number of its installations' events.
    db.schema
      .createIndex('events_of_content')
      .on('events')
      .columns(['app_id', 'id'])
      .where(sql`type`, 'in', contentEvents),
    db.schema
      .createIndex('events_of_request')
      .on('events')
      .columns(['request_id', 'id'])
      .where(sql`request_id`, 'is not', null),
  ],
};

const reviewEvents = sql`('app.submitted', 'app.withdrawn', 'app.approved', 'app.rejected', 'app.revoked')`;
const contentEvents = sql`('app.created', 'app.updated', 'app.transferred')`;

/** Equivalent to the generated column, and what `postgres/catalogue.ts` accepts in its place. Existing rows take no time. */
function changedSinceApprovalByTrigger(db: QueryBuilder, integer: ColumnTypes['integer']): MigrationStep[] {
  return [
    [
      db.schema.alterTable('apps').addColumn('changed_since_approval', integer, (column) => column.defaultTo(0)),
      statement(
        db,
        sql`create function apps_changed_since_approval() returns trigger language plpgsql as $$ begin
          new.changed_since_approval := case when new.approved_revision <> new.revision then 1 else 0 end;
          return new; end $$`,
      ),
      statement(
        db,
        sql`create trigger apps_changed_since_approval before insert or update on apps
          for each row execute function apps_changed_since_approval()`,
      ),
    ],
    {
      table: 'apps',
      key: 'id',
      update: (rows) =>
        statement(db, sql`update apps set changed_since_approval = 1 where approved_revision <> revision and ${rows}`),
    },
  ];
}

function unreferencedIdempotencyKeys(db: QueryBuilder): MigrationStatement[] {
  return [
    db.schema.alterTable('idempotency_keys').dropConstraint('idempotency_keys_token_id_fkey'),
    statement(
      db,
      sql`alter table idempotency_keys rename constraint idempotency_keys_pkey to idempotency_keys_of_holders_pkey`,
    ),
  ];
}

/** SQLite cannot remove a reference. */
function copiedIdempotencyKeys(
  db: QueryBuilder,
  { text, integer, tableEnd }: Pick<ColumnTypes, 'text' | 'integer' | 'tableEnd'>,
): MigrationStatement[] {
  return [
    db.schema
      .createTable('idempotency_keys_of_holders')
      .addColumn('token_id', text, (column) => column.notNull())
      .addColumn('key', text, (column) => column.notNull())
      .addColumn('request_hash', text, (column) => column.notNull())
      .addColumn('answer', text, (column) => column.notNull())
      .addColumn('created_at', integer, (column) => column.notNull())
      .addPrimaryKeyConstraint('idempotency_keys_of_holders_pkey', ['token_id', 'key'])
      .modifyEnd(tableEnd),
    db
      .insertInto('idempotency_keys_of_holders' as 'idempotency_keys')
      .columns(['token_id', 'key', 'request_hash', 'answer', 'created_at'])
      .expression(
        db.selectFrom('idempotency_keys').select(['token_id', 'key', 'request_hash', 'answer', 'created_at']),
      ),
    db.schema.dropTable('idempotency_keys'),
    db.schema.alterTable('idempotency_keys_of_holders').renameTo('idempotency_keys'),
    db.schema.createIndex('idempotency_keys_by_time').on('idempotency_keys').column('created_at'),
  ];
}

function statement(db: QueryBuilder, text: RawBuilder<unknown>): MigrationStatement {
  return { compile: () => text.compile(db) };
}
