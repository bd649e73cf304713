import { randomUUID } from 'node:crypto';
import type { ColumnTypes } from '../column.ts';
import { tables } from '../table-columns.ts';
import { type Migration, type MigrationStep, statement } from './migration.ts';

/**
 * Stored with the schema: a database that an unreleased build has made with other statements is refused. The first digits of
 * their SHA-256, which stay the same from the first release on.
 */
export const baselineId = '05d16818470382f3';

/** The schema of the first release: tables with their indexes, and the triggers that derive rows from others. */
export const baseline: Migration = {
  usableFrom: 1,
  up: (db, types) => {
    const create: CreateTable = (table, ...constraints) => createTable(types, table, constraints);
    return [
      ...[registry, developersAndLogos, apps, installations, access, events, review, webhooks, statistics]
        .flatMap((statements) => statements(create, types))
        .map((text) => statement(db, text)),
      db.insertInto('registry_epoch').values({ epoch: randomUUID() }),
      db
        .insertInto('settings')
        .values({ revision: 1, revision_nonce: randomUUID(), content: '{}', changes_to_approved: 'live' }),
      ...[...changedSinceApproval(types), ...nameClaims(types), ...search(create, types)].map((text) =>
        statement(db, text),
      ),
    ] satisfies MigrationStep[];
  },
};

/** The statement that creates a table with its columns, and with constraints on several of them. */
type CreateTable = (table: keyof typeof tables, ...constraints: string[]) => string;

function createTable(types: ColumnTypes, table: keyof typeof tables, constraints: string[]): string {
  const columns = Object.entries(tables[table]).flatMap(([name, column]) => {
    const definition = column.define(types);
    return definition === null ? [] : [`${name} ${definition}`];
  });
  return `create table ${table} (${[...columns, ...constraints].join(', ')})${types.tableEnd}`;
}

function registry(create: CreateTable): string[] {
  return [create('registry_schema'), create('registry_epoch'), create('settings'), create('clock_observations')];
}

function developersAndLogos(create: CreateTable): string[] {
  return [
    create('developers'),
    // Lists are sorted by columns that do not change often: an index of others would make each update more expensive.
    `create index developers_by_email on developers (email, user_id)`,
    `create index developers_by_creation on developers (created_at, user_id)`,

    create('logos'),
    `create index logos_of_developer on logos (developer_id, id)`,
  ];
}

function apps(create: CreateTable): string[] {
  return [
    create('apps'),
    // Those by name, by state and by time serve every combination of filters and orders.
    `create index apps_by_name on apps (name_key, id)`,
    `create index apps_in_state on apps (review_status, changed_since_approval, id)`,
    `create index apps_in_state_by_name on apps (review_status, changed_since_approval, name_key, id)`,
    `create index apps_of_developer_in_state on apps (developer_id, review_status, changed_since_approval, id)`,
    `create index apps_of_developer_in_state_by_name on apps
      (developer_id, review_status, changed_since_approval, name_key, id)`,
    ...['created_at', 'updated_at'].flatMap((time) => [
      `create index apps_in_state_by_${time} on apps (review_status, changed_since_approval, ${time}, id)`,
      `create index apps_of_developer_in_state_by_${time} on apps
        (developer_id, review_status, changed_since_approval, ${time}, id)`,
    ]),
    `create index apps_in_review on apps (submitted_at, id) where review_status = 'AWAITING_REVIEW'`,
    `create index apps_waiting on apps (waiting_since, id) where waiting_since > 0`,
    // The reference of an app to its logo is checked when a logo is deleted.
    `create index apps_with_logo on apps (logo_id) where logo_id is not null`,

    create('name_claims'),
    `create index name_claims_of_app on name_claims (app_id)`,

    // Deleted apps leave `apps`, so that no query returns them.
    create('deleted_apps'),
    `create index deleted_apps_by_time on deleted_apps (deleted_at, id)`,
    `create index deleted_apps_of_developer on deleted_apps (developer_id, id)`,
    `create index deleted_apps_of_developer_by_time on deleted_apps (developer_id, deleted_at, id)`,
  ];
}

function installations(create: CreateTable): string[] {
  return [
    create('installations'),
    // Covers all columns, so that no list looks up rows one by one: each row of an app may be on another page.
    `create index whole_installations_of_app on installations (app_id, created_at, id, workspace_id, user_id, enabled)`,
    `create index installations_of_user_by_app on installations (user_id, app_id, id)`,
    `create unique index installations_workspace_id_app_id on installations (workspace_id, app_id)`,
    // Finds those that the next approval of the app enables.
    `create index installations_disabled on installations (app_id, id) where disabled_by is not null`,
  ];
}

function access(create: CreateTable): string[] {
  return [
    create('access_tokens', 'constraint access_tokens_hash unique (hash)'),
    `create index access_tokens_of_developer on access_tokens (developer_id, id)`,
    `create index access_tokens_of_kind on access_tokens (kind, id)`,
    `create index access_tokens_of_developer_and_kind on access_tokens (developer_id, kind, id)`,
    `create index access_tokens_by_expiry on access_tokens (expires_at, id)`,
    `create index access_tokens_of_kind_by_expiry on access_tokens (kind, expires_at, id)`,
    `create index access_tokens_of_developer_by_expiry on access_tokens (developer_id, expires_at, id)`,

    create('sessions'),
    `create index sessions_by_expiry on sessions (expires_at)`,
    `create index sessions_by_holder on sessions (holder_id, created_at)`,

    // Tokens of an identity provider have no row, so there is no reference to them.
    create('idempotency_keys', 'constraint idempotency_keys_pkey primary key (token_id, key)'),
    `create index idempotency_keys_by_time on idempotency_keys (created_at)`,
  ];
}

function events(create: CreateTable, { engine }: ColumnTypes): string[] {
  return [
    create('events'),
    ...(engine === 'postgres' ? [feedIndex] : []),
    // One index for both lists of an app, all events and content events: each index adds a page to every update.
    `create index events_of_app_by_class on events (app_id, (case
      when type in ('app.created', 'app.updated', 'app.transferred') then 'content ' else 'other ' end || id))`,
    // Finds who reviewed an app, among any number of its installations' events.
    `create index events_of_review on events (app_id, id)
      where type in ('app.submitted', 'app.withdrawn', 'app.approved', 'app.rejected', 'app.revoked')`,
    // Finds the apps that a suspended developer had.
    `create index events_of_transfer on events (occurred_at, id) where type = 'app.transferred'`,
    // Counts how often a developer was suspended.
    `create index events_of_suspension on events (subject_id, id) where type = 'developer.suspended'`,
    `create index events_of_actor on events (actor, id)`,
    `create index events_of_request on events (request_id, id) where request_id is not null`,

    create('event_archives'),
  ];
}

export const feedIndex = 'create index events_feed on events (position, id)';

function review(create: CreateTable): string[] {
  return [
    create('decisions'),
    `create index decisions_of_app on decisions (app_id, event_id)`,
    `create index decisions_of_app_by_time on decisions (app_id, decided_at, event_id)`,
    `create index decisions_by_time on decisions (decided_at, step, waiting_since)`,

    create('review_claims'),
    `create index review_claims_of_actor on review_claims (actor, app_id)`,
    create('review_presence'),
    `create index review_presence_of_app on review_presence (app_id, actor)`,
    // Without a reference to the app: they stay while it is deleted and can be restored.
    create('review_notes'),
    `create index review_notes_of_app on review_notes (app_id, created_at, id)`,
    create('reason_templates'),
    `create index reason_templates_by_title on reason_templates (title, id)`,
    create('protected_names', 'constraint protected_names_kind_key unique (kind, key)'),

    // A projection: without a reference to the app, whose row nothing locks.
    create('app_comparison_keys', 'constraint app_comparison_keys_pkey primary key (app_id, source, field)'),
    `create index app_comparison_keys_by_skeleton on app_comparison_keys (kind, source, skeleton, value, app_id)`,
    `create index app_comparison_keys_by_host on app_comparison_keys (value, app_id, source, field) where kind = 'host'`,
    create('comparison_key_versions'),
  ];
}

function webhooks(create: CreateTable): string[] {
  return [
    create('webhooks'),
    create('webhook_processes'),
    create('webhook_leases', 'constraint webhook_leases_pkey primary key (webhook_id, shard)'),
    `create index webhook_leases_of_process on webhook_leases (holder)`,

    create('deliveries'),
    // The pending deliveries, by queue and in order.
    `create index deliveries_pending on deliveries (webhook_id, queue, position) where state = 'pending'`,
    `create index deliveries_of_webhook on deliveries (webhook_id, id)`,
    `create index deliveries_of_webhook_by_state on deliveries (webhook_id, state, id)`,
    `create index deliveries_finished on deliveries (finished_at) where finished_at is not null`,
    // Without it, the deletion of each event would scan all deliveries.
    `create index deliveries_of_event on deliveries (event_id)`,
    create('delivery_requests'),
  ];
}

function statistics(create: CreateTable): string[] {
  return [
    create('daily_counts'),
    create('weekly_installations', 'constraint weekly_installations_pkey primary key (week, app_id)'),
    create('counted_events'),
  ];
}

/**
 * SQLite does not compare values: an update rewrites every index that includes an updated column, or a column generated
 * from one. So the column is an ordinary one there, which triggers write only when its value changes.
 */
function changedSinceApproval({ engine }: ColumnTypes): string[] {
  if (engine === 'postgres') return [];
  const trigger = (name: string, event: string) =>
    `create trigger ${name} after ${event} on apps
      when new.changed_since_approval <> coalesce(new.approved_revision <> new.revision, 0)
      begin
        update apps set changed_since_approval = 1 - changed_since_approval where id = new.id;
      end`;
  return [trigger('apps_inserted', 'insert'), trigger('apps_revised', 'update of revision, approved_revision')];
}

/** The triggers that derive `name_claims` from the rows of apps. A name that is taken violates its primary key. */
function nameClaims({ engine }: ColumnTypes): string[] {
  return engine === 'sqlite' ? claimingInSqlite() : claimingInPostgres();
}

function claimingInSqlite(): string[] {
  const claim = (key: string) =>
    `insert into name_claims (name_key, app_id) select ${key}, new.id where new.name_claim is not null and ${key} is not null
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
  ];
}

function claimingInPostgres(): string[] {
  return [
    `create function apps_claim_names() returns trigger language plpgsql as $$ begin
      delete from name_claims where app_id = new.id and (new.name_claim is null
        or (name_key is distinct from new.name_claim and name_key is distinct from new.approved_name_key));
      insert into name_claims (name_key, app_id)
        select distinct key, new.id from (values (new.name_claim), (new.approved_name_key)) as claimed (key)
        where new.name_claim is not null and key is not null
        and not exists (select 1 from name_claims where name_key = key and app_id = new.id);
      return null; end $$`,
    `create trigger apps_claim_names_of_new after insert on apps for each row
      when (new.name_claim is not null) execute function apps_claim_names()`,
    `create trigger apps_claim_names after update of name_claim, approved_name_key on apps for each row
      when (new.name_claim is distinct from old.name_claim or new.approved_name_key is distinct from old.approved_name_key)
      execute function apps_claim_names()`,
  ];
}

/**
 * The projections that readers catch up with, the marks of what they still lack, and the index of every three characters
 * that follow each other in the texts that operators search by (decision record 0010). The index follows its table by itself.
 */
function search(create: CreateTable, { engine }: ColumnTypes): string[] {
  const projections = [create('pending_projections'), create('search_texts')];
  if (engine === 'sqlite') return [...projections, ...searchedColumns.flatMap(indexInSqlite)];
  const trigrams = searchedColumns.map((column) => `search_trigrams(${column})`).join(', ');
  const index = `create index search_texts_by_trigram on search_texts using gin (${trigrams})`;
  return [...projections, trigramsInPostgres, index];
}

/** The columns of `search_texts` that are searched: names of apps, hosts of their addresses, who developers are, and their ids. */
const searchedColumns = ['name', 'hosts', 'person', 'subject_id'] as const;

/**
 * An index for each column, because one that holds hosts too would have to be read past them for a few letters. It stores no text.
 * What is deleted from that of people leaves no trace in it: their records can be erased.
 */
function indexInSqlite(column: (typeof searchedColumns)[number]): string[] {
  const index = `search_by_${column}`;
  const add = `insert into ${index} (rowid, ${column}) values (new.position, new.${column});`;
  const remove = `insert into ${index} (${index}, rowid, ${column}) values ('delete', old.position, old.${column});`;
  return [
    `create virtual table ${index} using fts5(${column}, content='search_texts', content_rowid='position',
      tokenize='trigram case_sensitive 1', detail='none', columnsize=0)`,
    ...(column === 'person' ? [`insert into ${index} (${index}, rank) values ('secure-delete', 1)`] : []),
    // Finds the trigrams that start with a shorter word.
    `create virtual table ${index}_terms using fts5vocab('${index}', 'instance')`,
    `create trigger ${index}_of_new after insert on search_texts when new.${column} is not null begin ${add} end`,
    `create trigger ${index}_of_old after delete on search_texts when old.${column} is not null begin ${remove} end`,
    `create trigger ${index}_of_added after update of ${column} on search_texts
      when old.${column} is null and new.${column} is not null begin ${add} end`,
    `create trigger ${index}_of_removed after update of ${column} on search_texts
      when old.${column} is not null and new.${column} is null begin ${remove} end`,
    `create trigger ${index}_of_changed after update of ${column} on search_texts
      when old.${column} <> new.${column} begin ${remove} ${add} end`,
  ];
}

/**
 * Far faster than one expression of SQL. So costly in the eyes of the planner that it uses the index, unless nearly every text
 * matches.
 */
const trigramsInPostgres = `create function search_trigrams(searched text) returns tsvector
  language plpgsql immutable strict parallel safe cost 100000 as $$
  declare
    characters text[] := string_to_array(searched, null);
    trigrams text[] := '{}';
  begin
    for i in 1 .. cardinality(characters) - 2 loop
      trigrams[i] := characters[i] || characters[i + 1] || characters[i + 2];
    end loop;
    return array_to_tsvector(trigrams); end $$`;
