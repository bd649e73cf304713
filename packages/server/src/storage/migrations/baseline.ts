import { randomUUID } from 'node:crypto';
import { type ColumnTypes, type Migration, type MigrationStep, statement } from './migration.ts';

/**
 * Stored with the schema: a database that an unreleased build has made with other statements is refused. The first digits of
 * their SHA-256, which stay the same from the first release on.
 */
export const baselineId = 'c16454f6a5674603';

/** The schema of the first release: tables with their indexes, and the triggers that derive rows from others. */
export const baseline: Migration = {
  usableFrom: 1,
  up: (db, types) =>
    [
      ...[registry, developersAndLogos, apps, installations, access, events, review, webhooks, statistics]
        .flatMap((tables) => tables(types))
        .map((text) => statement(db, text)),
      db.insertInto('registry_epoch').values({ epoch: randomUUID() }),
      db
        .insertInto('settings')
        .values({ revision: 1, revision_nonce: randomUUID(), content: '{}', changes_to_approved: 'live' }),
      ...[...changedSinceApproval(types), ...nameClaims(types), ...search(types)].map((text) => statement(db, text)),
    ] satisfies MigrationStep[],
};

function registry({ text, integer, tableEnd }: ColumnTypes): string[] {
  return [
    `create table registry_schema (
      version ${integer} not null,
      usable_from ${integer} not null,
      baseline ${text} not null
    )${tableEnd}`,
    `create table registry_epoch (
      epoch ${text} not null
    )${tableEnd}`,
    // In one row, the settings that all processes share.
    `create table settings (
      revision ${integer} not null,
      revision_nonce ${text} not null,
      content ${text} not null,
      changes_to_approved ${text} default 'live' not null
    )${tableEnd}`,
    // What the clock of each machine has said.
    `create table clock_observations (
      boot_id ${text} not null primary key,
      observed_at ${integer} not null,
      uptime_ms ${integer} not null
    )${tableEnd}`,
  ];
}

function developersAndLogos({ text, integer, bytes, tableEnd }: ColumnTypes): string[] {
  return [
    `create table developers (
      user_id ${text} not null primary key,
      email ${text} not null,
      first_name ${text},
      last_name ${text},
      created_at ${integer} not null,
      updated_at ${integer} not null,
      revision_nonce ${text} not null,
      suspended_at ${integer},
      suspension_reason ${text}
    )${tableEnd}`,
    // Lists are sorted by columns that do not change often: an index of others would make each update more expensive.
    `create index developers_by_email on developers (email, user_id)`,
    `create index developers_by_creation on developers (created_at, user_id)`,

    `create table logos (
      id ${text} not null primary key,
      developer_id ${text} not null references developers (user_id),
      png ${bytes} not null,
      created_at ${integer} not null,
      blocked_at ${integer},
      blocked_reason ${text}
    )${tableEnd}`,
    `create index logos_of_developer on logos (developer_id, id)`,
  ];
}

function apps({ engine, text, integer, tableEnd }: ColumnTypes): string[] {
  return [
    `create table apps (
      id ${text} not null primary key,
      developer_id ${text} not null references developers (user_id),
      name ${text} not null,
      name_key ${text} not null,
      name_claim ${text},
      logo_id ${text} references logos (id),
      short_description ${text},
      long_description ${text},
      background_color ${text} not null,
      login_url ${text},
      callback_url ${text},
      review_status ${text} not null,
      rejection_reason ${text},
      approved_content ${text},
      approved_revision ${integer},
      approved_revision_nonce ${text},
      approved_name_key ${text},
      cleared_since_approval ${text},
      change_since ${integer} default 0 not null,
      transfer_since ${integer} default 0 not null,
      waiting_since ${integer} default 0 not null,
      suspended_status ${text},
      installation_count ${integer} not null,
      revision ${integer} not null,
      revision_nonce ${text} not null,
      platform_revision ${integer} not null,
      platform_revision_nonce ${text} not null,
      submitted_at ${integer} default 0 not null,
      created_at ${integer} not null,
      updated_at ${integer} not null,
      shown_at ${integer} default 0 not null,
      changed_since_approval ${
        engine === 'postgres'
          ? `${integer} generated always as (case when approved_revision <> revision then 1 else 0 end) stored`
          : `${integer} default 0 not null`
      }
    )${tableEnd}`,
    // With the next five, it serves every combination of filters.
    `create index apps_by_name on apps (name_key, id)`,
    `create index apps_in_state on apps (review_status, changed_since_approval, id)`,
    `create index apps_in_state_by_name on apps (review_status, changed_since_approval, name_key, id)`,
    `create index apps_of_developer_in_state on apps (developer_id, review_status, changed_since_approval, id)`,
    `create index apps_of_developer_in_state_by_name on apps
      (developer_id, review_status, changed_since_approval, name_key, id)`,
    `create index apps_in_review on apps (submitted_at, id) where review_status = 'AWAITING_REVIEW'`,
    `create index apps_waiting on apps (waiting_since, id) where waiting_since > 0`,
    // The reference of an app to its logo is checked when a logo is deleted.
    `create index apps_with_logo on apps (logo_id) where logo_id is not null`,

    // The names that apps hold exclusively: the current one, and the approved one beside it. Triggers keep it.
    `create table name_claims (
      name_key ${text} not null primary key,
      app_id ${text} not null references apps (id) on delete cascade
    )${tableEnd}`,
    `create index name_claims_of_app on name_claims (app_id)`,

    // Deleted apps leave \`apps\`, so that no query returns them.
    `create table deleted_apps (
      id ${text} not null primary key,
      developer_id ${text} not null references developers (user_id),
      row ${text} not null,
      deleted_at ${integer} not null
    )${tableEnd}`,
    `create index deleted_apps_by_time on deleted_apps (deleted_at, id)`,
    `create index deleted_apps_of_developer on deleted_apps (developer_id, id)`,
    `create index deleted_apps_of_developer_by_time on deleted_apps (developer_id, deleted_at, id)`,
  ];
}

function installations({ text, integer, tableEnd }: ColumnTypes): string[] {
  return [
    `create table installations (
      id ${text} not null primary key,
      app_id ${text} not null references apps (id),
      workspace_id ${text} not null,
      user_id ${text} not null,
      enabled ${integer} not null,
      disabled_by ${text},
      created_at ${integer} not null
    )${tableEnd}`,
    // Covers all columns, so that no list looks up rows one by one: each row of an app may be on another page.
    `create index whole_installations_of_app on installations (app_id, created_at, id, workspace_id, user_id, enabled)`,
    `create index installations_of_user_by_app on installations (user_id, app_id, id)`,
    `create unique index installations_workspace_id_app_id on installations (workspace_id, app_id)`,
    // Finds those that the next approval of the app enables.
    `create index installations_disabled on installations (app_id, id) where disabled_by is not null`,
  ];
}

function access({ text, integer, tableEnd }: ColumnTypes): string[] {
  return [
    `create table access_tokens (
      id ${text} not null primary key,
      kind ${text} not null,
      developer_id ${text} references developers (user_id),
      name ${text},
      hash ${text} not null,
      scopes ${text},
      created_at ${integer} not null,
      expires_at ${integer} not null,
      revoked_at ${integer},
      updates_per_minute ${integer},
      reads_per_minute ${integer},
      last_used_at ${integer},
      suspended ${integer} default 0 not null,
      constraint access_tokens_hash unique (hash)
    )${tableEnd}`,
    `create index access_tokens_of_developer on access_tokens (developer_id, id)`,
    `create index access_tokens_of_kind on access_tokens (kind, id)`,
    `create index access_tokens_of_developer_and_kind on access_tokens (developer_id, kind, id)`,
    `create index access_tokens_by_expiry on access_tokens (expires_at, id)`,
    `create index access_tokens_of_kind_by_expiry on access_tokens (kind, expires_at, id)`,
    `create index access_tokens_of_developer_by_expiry on access_tokens (developer_id, expires_at, id)`,

    `create table sessions (
      hash ${text} not null primary key,
      token_id ${text} references access_tokens (id),
      holder ${text},
      created_at ${integer} not null,
      expires_at ${integer} not null
    )${tableEnd}`,
    `create index sessions_by_expiry on sessions (expires_at)`,

    // Tokens of an identity provider have no row, so there is no reference to them.
    `create table idempotency_keys (
      token_id ${text} not null,
      key ${text} not null,
      request_hash ${text} not null,
      response ${text} not null,
      created_at ${integer} not null,
      constraint idempotency_keys_pkey primary key (token_id, key)
    )${tableEnd}`,
    `create index idempotency_keys_by_time on idempotency_keys (created_at)`,
  ];
}

function events({ engine, text, integer, tableEnd }: ColumnTypes): string[] {
  const isPostgres = engine === 'postgres';
  return [
    `create table events (
      id ${text} not null primary key,
      ${isPostgres ? `position ${integer} not null default ${feedPosition},` : ''}
      type ${text} not null,
      occurred_at ${integer} not null,
      app_id ${text},
      subject_id ${text} not null,
      actor ${text} not null,
      request_id ${text},
      traceparent ${text},
      before ${text},
      after ${text},
      details ${text},
      effective ${text},
      reason ${text}
    )${tableEnd}`,
    ...(isPostgres ? [feedIndex] : []),
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

    `create table event_archives (
      number ${integer} not null primary key,
      id ${text} not null unique,
      sha256 ${text} not null,
      events ${integer} not null,
      last_event_id ${text} not null,
      last_occurred_at ${integer} not null,
      state ${text} not null,
      moved ${integer} not null,
      created_at ${integer} not null
    )${tableEnd}`,
  ];
}

/**
 * The place of each event in the feed (decision record 0017): the greater of the latest finished transaction, as the
 * inserting statement sees it, and its own. On SQLite the id is enough.
 */
export const feedPosition =
  'greatest(pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1, pg_current_xact_id()::text::bigint)';
export const feedIndex = 'create index events_feed on events (position, id)';

function review({ text, integer, tableEnd }: ColumnTypes): string[] {
  return [
    `create table decisions (
      event_id ${text} not null primary key,
      app_id ${text} not null,
      step ${text} not null,
      revision ${integer} not null,
      revision_nonce ${text} not null,
      content ${text} not null,
      code ${text},
      message ${text},
      fields ${text},
      note ${text},
      actor ${text} not null,
      decided_at ${integer} not null,
      waiting_since ${integer}
    )${tableEnd}`,
    `create index decisions_of_app on decisions (app_id, event_id)`,
    `create index decisions_by_time on decisions (decided_at, step, waiting_since)`,

    `create table review_claims (
      app_id ${text} not null primary key references apps (id) on delete cascade,
      actor ${text} not null,
      claimed_at ${integer} not null,
      expires_at ${integer} not null
    )${tableEnd}`,
    // Without a reference to the app: they stay while it is deleted and can be restored.
    `create table review_notes (
      id ${text} not null primary key,
      app_id ${text} not null,
      text ${text} not null,
      actor ${text} not null,
      created_at ${integer} not null
    )${tableEnd}`,
    `create index review_notes_of_app on review_notes (app_id, id)`,
    `create table reason_templates (
      id ${text} not null primary key,
      title ${text} not null,
      message ${text} not null,
      code ${text},
      created_at ${integer} not null,
      updated_at ${integer} not null
    )${tableEnd}`,
    `create index reason_templates_by_title on reason_templates (title, id)`,
    `create table protected_names (
      id ${text} not null primary key,
      kind ${text} not null,
      value ${text} not null,
      key ${text} not null,
      developer_ids ${text} not null,
      note ${text},
      created_at ${integer} not null,
      constraint protected_names_kind_key unique (kind, key)
    )${tableEnd}`,

    // What the names and hosts of apps are compared by. A projection: without a reference to the app, whose row nothing locks.
    `create table app_comparison_keys (
      app_id ${text} not null,
      source ${text} not null,
      field ${text} not null,
      kind ${text} not null,
      value ${text} not null,
      skeleton ${text} not null,
      constraint app_comparison_keys_pkey primary key (app_id, source, field)
    )${tableEnd}`,
    `create index app_comparison_keys_by_skeleton on app_comparison_keys (kind, source, skeleton, value, app_id)`,
    `create index app_comparison_keys_by_host on app_comparison_keys (value, app_id, source, field) where kind = 'host'`,
    // The version of the data that the skeletons are made with, in one row.
    `create table comparison_key_versions (
      skeletons ${text} not null primary key
    )${tableEnd}`,
  ];
}

function webhooks({ text, integer, sequence, tableEnd }: ColumnTypes): string[] {
  return [
    `create table webhooks (
      id ${text} not null primary key,
      url ${text} not null,
      name ${text},
      types ${text},
      effective_only ${integer} default 0 not null,
      secret ${text} not null,
      previous_secret ${text},
      previous_secret_until ${integer},
      batch ${integer} default 0 not null,
      requests_at_once ${integer},
      created_at ${integer} not null,
      updated_at ${integer} not null,
      disabled_at ${integer},
      disabled_reason ${text},
      failing_since ${integer}
    )${tableEnd}`,
    // The processes that deliver events, and the shards of the queues of each webhook that they serve.
    `create table webhook_processes (
      id ${text} not null primary key,
      beat ${integer} not null,
      without_key ${text} not null
    )${tableEnd}`,
    `create table webhook_leases (
      webhook_id ${text} not null references webhooks (id) on delete cascade,
      shard ${integer} not null,
      holder ${text} references webhook_processes (id) on delete set null,
      constraint webhook_leases_pkey primary key (webhook_id, shard)
    )${tableEnd}`,
    `create index webhook_leases_of_process on webhook_leases (holder)`,

    `create table deliveries (
      position ${sequence},
      id ${text} not null unique,
      webhook_id ${text} not null references webhooks (id) on delete cascade,
      event_id ${text} not null references events (id),
      queue ${text} not null,
      state ${text} not null,
      attempts ${integer} not null,
      due_at ${integer} not null,
      created_at ${integer} not null,
      attempted_at ${integer},
      finished_at ${integer},
      response_status ${integer},
      response_body ${text},
      sent_with ${text}
    )${tableEnd}`,
    // The pending deliveries, by queue and in order.
    `create index deliveries_pending on deliveries (webhook_id, queue, position) where state = 'pending'`,
    `create index deliveries_of_webhook on deliveries (webhook_id, id)`,
    `create index deliveries_of_webhook_by_state on deliveries (webhook_id, state, id)`,
    `create index deliveries_finished on deliveries (finished_at) where finished_at is not null`,
    // Without it, the deletion of each event would scan all deliveries.
    `create index deliveries_of_event on deliveries (event_id)`,
    // The last request of each delivery, with its response. That of a batch belongs to its first delivery.
    `create table delivery_requests (
      delivery_id ${text} not null primary key references deliveries (id) on delete cascade,
      recorded_at ${integer} not null,
      sent_at ${integer} not null,
      duration_ms ${integer} not null,
      url ${text} not null,
      user_agent ${text} not null,
      event_ids ${text},
      response ${text}
    )${tableEnd}`,
  ];
}

function statistics({ text, integer, tableEnd }: ColumnTypes): string[] {
  return [
    `create table daily_counts (
      day ${text} not null primary key,
      draft_apps ${integer} not null,
      awaiting_review_apps ${integer} not null,
      approved_apps ${integer} not null,
      rejected_apps ${integer} not null,
      installations ${integer} not null,
      counted_at ${integer} not null
    )${tableEnd}`,
    `create table weekly_installations (
      week ${integer} not null,
      app_id ${text} not null,
      created ${integer} default 0 not null,
      deleted ${integer} default 0 not null,
      constraint weekly_installations_pkey primary key (week, app_id)
    )${tableEnd}`,
    `create table counted_events (
      epoch ${text} not null primary key,
      position ${integer} not null,
      id ${text} not null
    )${tableEnd}`,
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
function search({ engine, text, integer, sequence, tableEnd }: ColumnTypes): string[] {
  const tables = [
    `create table pending_projections (
      subject_id ${text} not null primary key,
      version ${integer} not null
    )${tableEnd}`,
    `create table search_texts (
      position ${sequence},
      subject_id ${text} not null unique,
      name ${text},
      hosts ${text},
      person ${text}
    )${tableEnd}`,
  ];
  if (engine === 'sqlite') return [...tables, ...searchedColumns.flatMap(indexInSqlite)];
  const trigrams = searchedColumns.map((column) => `search_trigrams(${column})`).join(', ');
  const index = `create index search_texts_by_trigram on search_texts using gin (${trigrams})`;
  return [...tables, trigramsInPostgres, index];
}

/** The columns of `search_texts` that are searched: names of apps, hosts of their addresses, and who developers are. */
const searchedColumns = ['name', 'hosts', 'person'] as const;

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
