import { type RawBuilder, sql } from 'kysely';
import type { QueryBuilder } from '../statement.ts';
import type { Migration, MigrationStatement } from './migration.ts';

/**
 * Only expands: older programs keep working beside this one. They show the current content of every app, append no event
 * when the effective content changes, and know neither suspensions nor blocked logos. So switch to `hold`, suspend and
 * block only once every process is replaced. What they change is listed in `stale_apps` and completed by this program.
 */
export const review: Migration = {
  usableFrom: 1,
  up: (db, { text, integer, tableEnd, generated }) => [
    // What is approved, shown and waiting.
    ...['approved_revision_stamp', 'approved_name_key', 'withdrawn', 'suspended_status', 'derived_from'].map((name) =>
      db.schema.alterTable('apps').addColumn(name, text),
    ),
    ...['change_since', 'transfer_since', 'waiting_since', 'shown_at'].map((name) =>
      db.schema.alterTable('apps').addColumn(name, integer, (column) => column.notNull().defaultTo(0)),
    ),
    {
      table: 'apps',
      key: 'id',
      update: (rows) =>
        statement(
          db,
          sql`update apps set
            waiting_since = case when review_status <> 'AWAITING_REVIEW' then 0
              when submitted_at = 0 then updated_at else submitted_at end,
            approved_name_key = case when approved_revision = revision then name_key end,
            approved_revision_stamp = case when approved_revision = revision then revision_stamp end
          where (review_status = 'AWAITING_REVIEW' or approved_revision = revision) and ${rows}`,
        ),
    },
    db.schema
      .createIndex('apps_waiting')
      .on('apps')
      .columns(['waiting_since', 'id'])
      .where(sql`waiting_since`, '>', sql`0`),

    db.schema.alterTable('developers').addColumn('suspended_at', integer),
    db.schema.alterTable('developers').addColumn('suspension_reason', text),
    // Finds the apps that a suspended developer had.
    db.schema
      .createIndex('events_of_transfer')
      .on('events')
      .columns(['occurred_at', 'id'])
      .where(sql`type`, '=', sql`'app.transferred'`),
    db.schema.alterTable('access_tokens').addColumn('suspended', integer, (column) => column.notNull().defaultTo(0)),
    db.schema.alterTable('installations').addColumn('disabled_by', text),
    db.schema.alterTable('logos').addColumn('blocked_at', integer),
    db.schema.alterTable('logos').addColumn('blocked_reason', text),
    // The reference of an app to its logo is checked when a logo is deleted.
    db.schema.createIndex('apps_with_logo').on('apps').column('logo_id').where('logo_id', 'is not', null),
    db.schema.alterTable('events').addColumn('reason', text),
    db.schema
      .alterTable('settings')
      .addColumn('changes_to_approved', text, (column) => column.notNull().defaultTo('live')),

    db.schema
      .createTable('decisions')
      .addColumn('event_id', text, (column) => column.notNull().primaryKey())
      .addColumn('app_id', text, (column) => column.notNull())
      .addColumn('step', text, (column) => column.notNull())
      .addColumn('revision', integer, (column) => column.notNull())
      .addColumn('revision_stamp', text)
      .addColumn('content', text, (column) => column.notNull())
      .addColumn('code', text)
      .addColumn('message', text)
      .addColumn('fields', text)
      .addColumn('note', text)
      .addColumn('actor', text, (column) => column.notNull())
      .addColumn('decided_at', integer, (column) => column.notNull())
      .modifyEnd(tableEnd),
    db.schema.createIndex('decisions_of_app').on('decisions').columns(['app_id', 'event_id']),

    // The names that apps hold exclusively: the current one, and the approved one beside it. Triggers keep it, so that it
    // is right whichever program changes an app.
    [
      db.schema
        .createTable('name_claims')
        .addColumn('name_key', text, (column) => column.notNull().primaryKey())
        .addColumn('app_id', text, (column) => column.notNull().references('apps.id').onDelete('cascade'))
        .modifyEnd(tableEnd),
      ...(generated === 'virtual' ? claimingInSqlite(db) : claimingInPostgres(db)),
    ],
    db.schema.createIndex('name_claims_of_app').on('name_claims').column('app_id'),
    {
      table: 'apps',
      key: 'id',
      update: (rows) =>
        statement(
          db,
          sql`insert into name_claims (name_key, app_id)
            select name_claim, id from apps where name_claim is not null and ${rows} on conflict do nothing`,
        ),
    },

    // What the names and hosts of apps are compared by.
    db.schema
      .createTable('app_identities')
      .addColumn('app_id', text, (column) => column.notNull().references('apps.id').onDelete('cascade'))
      .addColumn('source', text, (column) => column.notNull())
      .addColumn('field', text, (column) => column.notNull())
      .addColumn('kind', text, (column) => column.notNull())
      .addColumn('value', text, (column) => column.notNull())
      .addColumn('skeleton', text, (column) => column.notNull())
      .addPrimaryKeyConstraint('app_identities_pkey', ['app_id', 'source', 'field'])
      .modifyEnd(tableEnd),
    db.schema
      .createIndex('app_identities_by_skeleton')
      .on('app_identities')
      .columns(['kind', 'source', 'skeleton', 'value', 'app_id']),
    db.schema
      .createIndex('app_identities_by_host')
      .on('app_identities')
      .columns(['value', 'app_id', 'source', 'field'])
      .where(sql`kind`, '=', sql.lit('host')),
    db.schema
      .createTable('identity_versions')
      .addColumn('skeletons', text, (column) => column.notNull().primaryKey())
      .modifyEnd(tableEnd),
    db.schema
      .createTable('protected_names')
      .addColumn('id', text, (column) => column.notNull().primaryKey())
      .addColumn('kind', text, (column) => column.notNull())
      .addColumn('value', text, (column) => column.notNull())
      .addColumn('key', text, (column) => column.notNull())
      .addColumn('developer_ids', text, (column) => column.notNull())
      .addColumn('note', text)
      .addColumn('created_at', integer, (column) => column.notNull())
      .addUniqueConstraint('protected_names_kind_key', ['kind', 'key'])
      .modifyEnd(tableEnd),

    // The apps whose derived columns and rows are to be made again.
    [
      db.schema
        .createTable('stale_apps')
        .addColumn('app_id', text, (column) => column.notNull().primaryKey().references('apps.id').onDelete('cascade'))
        .modifyEnd(tableEnd),
      ...(generated === 'virtual' ? staleInSqlite(db) : staleInPostgres(db)),
    ],
    {
      table: 'apps',
      key: 'id',
      update: (rows) =>
        statement(db, sql`insert into stale_apps (app_id) select id from apps where ${rows} on conflict do nothing`),
    },
  ],
};

/** As `registry/apps/next-app.ts` stores it. An older program leaves it as it was. */
const derivedFrom = (row: string): RawBuilder<string> =>
  sql.raw(
    `${row}.revision || '.' || coalesce(${row}.approved_revision, 0) || '.' || ${row}.review_status`,
  ) as RawBuilder<string>;

/** A taken name violates the constraint of `apps.name_claim`: the only one by which older programs recognise it. */
function claimingInSqlite(db: QueryBuilder): MigrationStatement[] {
  const claim = (key: string) =>
    `select raise(abort, 'UNIQUE constraint failed: apps.name_claim') where new.name_claim is not null
      and exists (select 1 from name_claims where name_key = ${key} and app_id <> new.id);
    insert into name_claims (name_key, app_id) select ${key}, new.id where new.name_claim is not null and ${key} is not null
      and not exists (select 1 from name_claims where name_key = ${key} and app_id = new.id);`;
  const claims = `${claim('new.name_claim')} ${claim('new.approved_name_key')}`;
  return [
    `create trigger apps_claim_names_of_new after insert on apps begin ${claims} end`,
    `create trigger apps_claim_names after update of name_claim, approved_name_key on apps
      when new.name_claim is not old.name_claim or new.approved_name_key is not old.approved_name_key
      begin
        delete from name_claims where app_id = new.id and (new.name_claim is null
          or (name_key is not new.name_claim and name_key is not new.approved_name_key));
        ${claims}
      end`,
  ].map((text) => statement(db, sql.raw(text)));
}

function claimingInPostgres(db: QueryBuilder): MigrationStatement[] {
  return [
    `create function apps_claim_names() returns trigger language plpgsql as $$ begin
      delete from name_claims where app_id = new.id and (new.name_claim is null
        or (name_key is distinct from new.name_claim and name_key is distinct from new.approved_name_key));
      insert into name_claims (name_key, app_id)
        select distinct key, new.id from (values (new.name_claim), (new.approved_name_key)) as claimed (key)
        where new.name_claim is not null and key is not null
        and not exists (select 1 from name_claims where name_key = key and app_id = new.id);
      return null;
      exception when unique_violation then
        raise unique_violation using constraint = 'apps_name_claim', message = sqlerrm; end $$`,
    `create trigger apps_claim_names_of_new after insert on apps for each row
      when (new.name_claim is not null) execute function apps_claim_names()`,
    `create trigger apps_claim_names after update of name_claim, approved_name_key on apps for each row
      when (new.name_claim is distinct from old.name_claim or new.approved_name_key is distinct from old.approved_name_key)
      execute function apps_claim_names()`,
  ].map((text) => statement(db, sql.raw(text)));
}

function staleInSqlite(db: QueryBuilder): MigrationStatement[] {
  const list = 'begin insert into stale_apps (app_id) values (new.id) on conflict do nothing; end';
  const isStale = sql`new.derived_from is not ${derivedFrom('new')}`;
  return [
    sql`create trigger apps_stale_of_new after insert on apps when ${isStale} ${sql.raw(list)}`,
    sql`create trigger apps_stale after update of revision, approved_revision, review_status on apps
      when ${isStale} ${sql.raw(list)}`,
  ].map((text) => statement(db, text));
}

function staleInPostgres(db: QueryBuilder): MigrationStatement[] {
  const isStale = sql`new.derived_from is distinct from (${derivedFrom('new')})`;
  return [
    sql`create function apps_stale() returns trigger language plpgsql as $$ begin
      insert into stale_apps (app_id) values (new.id) on conflict do nothing;
      return null; end $$`,
    sql`create trigger apps_stale_of_new after insert on apps for each row when (${isStale}) execute function apps_stale()`,
    sql`create trigger apps_stale after update of revision, approved_revision, review_status on apps for each row
      when (${isStale}) execute function apps_stale()`,
  ].map((text) => statement(db, text));
}

function statement(db: QueryBuilder, text: RawBuilder<unknown>): MigrationStatement {
  return { compile: () => text.compile(db) };
}
