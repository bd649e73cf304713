import {
  bytes,
  column,
  defaulted,
  flag,
  integer,
  key,
  keyReference,
  optional,
  reference,
  sequence,
  text,
  unique,
  unread,
} from './column.ts';

/**
 * The place of each event in the feed (decision record 0017): the greater of the latest finished transaction, as the
 * inserting statement sees it, and its own.
 */
export const feedPosition =
  'greatest(pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1, pg_current_xact_id()::text::bigint)';

/** The content of an app, which its developer edits. */
export const appContent = {
  name: text,
  logo_id: optional.reference('logos (id)'),
  short_description: optional.text,
  long_description: optional.text,
  background_color: text,
  login_url: optional.text,
  callback_url: optional.text,
};

/**
 * Every table, the same on both engines, by its columns, after those that it refers to. The first column that is read is the
 * key. The baseline creates them so.
 */
export const tables = {
  developers: {
    user_id: key,
    email: text,
    first_name: optional.text,
    last_name: optional.text,
    created_at: integer,
    updated_at: integer,
    /** A random text for each change of the developer that their apps show. */
    revision_nonce: text,
    /** When an operator suspended the developer; null when none has. */
    suspended_at: optional.integer,
    suspension_reason: optional.text,
  },
  logos: {
    id: key,
    developer_id: reference('developers (user_id)'),
    /** 512 by 512 pixels. */
    png: bytes,
    created_at: integer,
    /** When an operator blocked it; null when none has. */
    blocked_at: optional.integer,
    blocked_reason: optional.text,
    /** When it was last blocked or unblocked; null when it never was. */
    updated_at: optional.integer,
  },
  apps: {
    id: key,
    developer_id: reference('developers (user_id)'),
    ...appContent,
    /** The normalised name, by which names are compared. */
    name_key: text,
    /** The name key while this app claims its name exclusively; null when names need not be unique. */
    name_claim: optional.text,
    review_status: column<'DRAFT' | 'AWAITING_REVIEW' | 'APPROVED' | 'REJECTED'>('text'),
    /** The latest reason of a rejection or revocation. */
    rejection_reason: optional.text,
    /** The content as it was when last approved, as JSON of `AppContent`. */
    approved_content: optional.text,
    approved_revision: optional.integer,
    /** The random text of the approved revision; null while the app was never approved. */
    approved_revision_nonce: optional.text,
    /** The key of the approved name, which the app claims beside its current one. */
    approved_name_key: optional.text,
    /**
     * The optional columns of the approved content that were cleared since, each with the revision that did, as JSON: they
     * stay without effect until a later approval. Null when there are none.
     */
    cleared_since_approval: optional.text,
    /** Since when the content of an APPROVED app awaits a decision: when its oldest undecided revision was made; else 0. */
    change_since: defaulted.integer,
    /** Since when the transfer of an APPROVED app awaits a decision; else 0. */
    transfer_since: defaulted.integer,
    /** Since when the app is in the review queue, as a submission, a change or a transfer; 0 when it is not. */
    waiting_since: defaulted.integer,
    /** The review status from before the suspension of the developer; null when the developer is not suspended. */
    suspended_status: column<'DRAFT' | 'AWAITING_REVIEW' | 'APPROVED' | 'REJECTED' | null>('text', ''),
    installation_count: integer,
    /** Counts changes of the content. */
    revision: integer,
    /** A random text for each revision. */
    revision_nonce: text,
    /** Counts changes of anything in the platform view. */
    platform_revision: integer,
    /** A random text for each of these changes. */
    platform_revision_nonce: text,
    /** When it was submitted for review; 0 when it awaits none. */
    submitted_at: defaulted.integer,
    created_at: integer,
    /** When the content or the review status last changed. */
    updated_at: integer,
    /** When what the platform view shows of them last changed; 0 when that is `updated_at`. */
    shown_at: defaulted.integer,
    /** Whether the approved revision is not the current one: 1 or 0. */
    changed_since_approval: unread(({ engine, integer }) =>
      engine === 'postgres'
        ? `${integer} generated always as (case when approved_revision <> revision then 1 else 0 end) stored`
        : `${integer} default 0 not null`,
    ),
  },
  installations: {
    id: key,
    app_id: reference('apps (id)'),
    workspace_id: text,
    user_id: text,
    enabled: flag,
    /**
     * Why it is disabled: any of `workspace`, `revocation` and `suspension`, separated by spaces. Null when it is enabled.
     */
    disabled_by: optional.text,
    created_at: integer,
    /** When it was last enabled, disabled or changed by an import; null when it never was. */
    updated_at: optional.integer,
  },
  access_tokens: {
    id: key,
    kind: column<'developer' | 'platform' | 'operator'>('text'),
    developer_id: optional.reference('developers (user_id)'),
    name: optional.text,
    /** SHA-256 of the token, in hexadecimal. The token itself is stored nowhere. */
    hash: text,
    /** The scopes of an operator token, separated by spaces; null for every other kind, which has none. */
    scopes: optional.text,
    created_at: integer,
    expires_at: integer,
    revoked_at: optional.integer,
    /** The token that replaces it, and since when; both null when it was not rotated. */
    replaced_by: optional.reference('access_tokens (id)'),
    replaced_at: optional.integer,
    /** Limits of this token that override the defaults; null means the default, 0 means no limit. */
    updates_per_minute: optional.integer,
    reads_per_minute: optional.integer,
    requests_per_minute: optional.integer,
    /** The start of the hour of its last use; null before its first use. */
    last_used_at: optional.integer,
    /** Whether its developer is suspended. */
    suspended: defaulted.flag,
  },
  /** A deleted app that can still be restored. */
  deleted_apps: {
    id: key,
    developer_id: reference('developers (user_id)'),
    /** Its `AppRow` before deletion, as JSON. */
    row: text,
    deleted_at: integer,
  },
  /** A decision of a reviewer. */
  decisions: {
    /** The event of the decision. */
    event_id: key,
    app_id: text,
    step: text,
    /** The revision that was decided on, and its content as JSON. */
    revision: integer,
    revision_nonce: text,
    content: text,
    code: optional.text,
    /** For the developer. */
    message: optional.text,
    /** Messages on single fields, as JSON. */
    fields: optional.text,
    /** Only for operators. */
    note: optional.text,
    actor: text,
    decided_at: integer,
    /** Since when the app was in the review queue; null when it was not. */
    waiting_since: optional.integer,
  },
  /** A name that an app holds exclusively. Triggers derive it from `name_claim` and `approved_name_key` of the app. */
  name_claims: {
    name_key: key,
    app_id: reference('apps (id) on delete cascade'),
  },
  /** A name or host that only some developers may use. */
  protected_names: {
    id: key,
    kind: column<'name' | 'host'>('text'),
    value: text,
    /** What it is compared by. */
    key: text,
    /** As JSON. */
    developer_ids: text,
    note: optional.text,
    created_at: integer,
    updated_at: integer,
  },
  /** The reviewer to whom an app is assigned at present. */
  review_claims: {
    app_id: keyReference('apps (id) on delete cascade'),
    actor: text,
    claimed_at: integer,
    expires_at: integer,
  },
  /** The app that a reviewer looks at: the last one that they opened. */
  review_presence: {
    actor: key,
    app_id: reference('apps (id) on delete cascade'),
    claimed_at: integer,
    expires_at: integer,
  },
  /** A note by a reviewer about an app for other reviewers. It stays with a deleted app until the app is purged. */
  review_notes: {
    id: key,
    app_id: text,
    text: text,
    actor: text,
    created_at: integer,
  },
  /** A text that reviewers begin a reason with. */
  reason_templates: {
    id: key,
    title: text,
    message: text,
    code: optional.text,
    created_at: integer,
    updated_at: integer,
  },
  events: {
    id: key,
    /** The place in the feed. On SQLite the id is enough. */
    position: unread(({ engine, integer }) =>
      engine === 'postgres' ? `${integer} not null default ${feedPosition}` : null,
    ),
    type: text,
    occurred_at: integer,
    app_id: optional.text,
    /** The object that changed: a developer, an app, an installation, a logo or a token. */
    subject_id: text,
    /** The id of an access token, `command-line:` and who runs the command, or `maintenance` for what the server does by itself. */
    actor: text,
    request_id: optional.text,
    /** The trace of the request, as W3C Trace Context writes it. */
    traceparent: optional.text,
    /** What changed, before and after, as JSON; null before a creation and after a deletion. */
    before: optional.text,
    after: optional.text,
    /** Other data of its type, as JSON. */
    details: optional.text,
    /** The change of the content that a platform may act on, as JSON (decision record 0018); null if there is none. */
    effective: optional.text,
    /** The reason, in the words of the caller. */
    reason: optional.text,
  },
  /** A file of archived events. */
  event_archives: {
    /** Counts from 1. The events of an archive follow those of the one before. */
    number: column<number>('integer', 'not null primary key'),
    /** The id in the file, a UUID. */
    id: unique,
    /** SHA-256 of the content of the file up to its last line, in hexadecimal. */
    sha256: text,
    /** How many events the file holds. */
    events: integer,
    last_event_id: text,
    /** The latest time of its events. */
    last_occurred_at: integer,
    state: column<'deleting' | 'archived' | 'restoring'>('text'),
    /** In the order of the file, how many of its events are already deleted or restored. */
    moved: integer,
    created_at: integer,
  },
  webhooks: {
    id: key,
    url: text,
    name: optional.text,
    /** The subscribed event types, separated by spaces; null for all. */
    types: optional.text,
    /** Whether it receives only events that carry `effective`. */
    effective_only: defaulted.flag,
    /** `whsec_` and the key. It signs each delivery, so it cannot be stored as a hash. */
    secret: text,
    /** The previous secret, which also signs until `previous_secret_until`. */
    previous_secret: optional.text,
    previous_secret_until: optional.integer,
    /** Whether it receives events of one queue together. */
    batch: defaulted.flag,
    /** How many requests each process sends to it at the same time; null for the default. */
    requests_at_once: optional.integer,
    created_at: integer,
    updated_at: integer,
    disabled_at: optional.integer,
    /** Why the registry disabled it; null when an operator did. */
    disabled_reason: optional.text,
    /** When deliveries started to fail; null if the last one succeeded. */
    failing_since: optional.integer,
  },
  /** A process that delivers events. */
  webhook_processes: {
    id: key,
    /** A counter that the process increments. If it stops counting, the process has died. */
    beat: integer,
    /** The webhooks whose secret it has no key for, separated by spaces. */
    without_key: text,
  },
  /** A share of the queues of a webhook, and the process that serves it. */
  webhook_leases: {
    webhook_id: reference('webhooks (id) on delete cascade'),
    shard: integer,
    /** Null when it is free. */
    holder: optional.reference('webhook_processes (id) on delete set null'),
  },
  /** One event for one webhook. The database assigns its `position`, which orders the deliveries in a queue. */
  deliveries: {
    position: sequence,
    id: unique,
    webhook_id: reference('webhooks (id) on delete cascade'),
    event_id: reference('events (id)'),
    /** The app of the event, or else its subject. Deliveries of one queue are made one after another. */
    queue: text,
    state: column<'pending' | 'delivered' | 'failed'>('text'),
    attempts: integer,
    /** The earliest time of the next attempt. */
    due_at: integer,
    created_at: integer,
    attempted_at: optional.integer,
    finished_at: optional.integer,
    /** Status of the response to the last attempt, if there was one. */
    response_status: optional.integer,
    /** The first part of that response, or why there was none. */
    response_body: optional.text,
    /** The first delivery of the batch that the last attempt was made with; null when it was made alone. */
    sent_with: optional.text,
  },
  /** The last request of a delivery, or of a batch whose first delivery it was. Its events and signature are not repeated. */
  delivery_requests: {
    delivery_id: keyReference('deliveries (id) on delete cascade'),
    /** The `attempted_at` of its deliveries. Where it differs, they were attempted again without it. */
    recorded_at: integer,
    sent_at: integer,
    duration_ms: integer,
    /** Without credentials and query. */
    url: text,
    user_agent: text,
    /** The events of a batch, separated by spaces; null for the one of the delivery. */
    event_ids: optional.text,
    /** The response without its status and the start of its text, as JSON; null when there was none. */
    response: optional.text,
  },
  /** The mark of an app or developer whose rows in `search_texts` and `app_comparison_keys` are to be made again. */
  pending_projections: {
    subject_id: key,
    /** Counts the changes since it was set. */
    version: integer,
  },
  /**
   * The texts that operators find an app by, also a deleted one, or a developer: in lower case and without accents. Each has
   * a space before each word, by which the start of a word is found, and two at the end, so that each character begins a
   * trigram.
   */
  search_texts: {
    position: sequence,
    subject_id: unique,
    /** The current name, and the approved one if it is another. Null for a developer. */
    name: optional.text,
    /** The hosts of the current addresses. Null without any, and for a deleted app. */
    hosts: optional.text,
    /** The email address and the names of a developer. Null for an app. */
    person: optional.text,
  },
  /** A name or host of an app's content, by which apps are compared. */
  app_comparison_keys: {
    app_id: text,
    source: column<'current' | 'approved'>('text'),
    /** The column of the content. */
    field: text,
    kind: column<'name' | 'host'>('text'),
    /** The name key, or the labels of the host from the last to the first. */
    value: text,
    /** The same for names that look alike (UTS #39). */
    skeleton: text,
  },
  /** The version of the data that the skeletons were made with. There is at most one row. */
  comparison_key_versions: {
    skeletons: key,
  },
  /** The response to a request with an Idempotency-Key, per token. */
  idempotency_keys: {
    token_id: text,
    key: text,
    /** Distinguishes another request under the same key. */
    request_hash: text,
    /** The response, as JSON. */
    response: text,
    created_at: integer,
  },
  /** A temporary substitute for an operator token: a browser session, or a code that starts one. */
  sessions: {
    /** SHA-256 of its text, whose prefix distinguishes the two. The text itself is never stored. */
    hash: key,
    /** The token it substitutes; null when an identity provider has issued that token, which then has no row here. */
    token_id: optional.reference('access_tokens (id)'),
    /** The person such a token was issued to, as JSON. */
    holder: optional.text,
    /** The id of the holder in events, by whom sessions are limited. */
    holder_id: text,
    created_at: integer,
    expires_at: integer,
  },
  /** The last counts of a day. */
  daily_counts: {
    /** In UTC, such as 2026-03-01. */
    day: key,
    draft_apps: integer,
    awaiting_review_apps: integer,
    approved_apps: integer,
    rejected_apps: integer,
    installations: integer,
    counted_at: integer,
  },
  /** The installations that were made and deleted in a week. */
  weekly_installations: {
    /** Weeks since Monday, 5 January 1970, in UTC. */
    week: integer,
    /** Empty in the row of all apps together. Rows of single apps are deleted after two weeks. */
    app_id: text,
    created: defaulted.integer,
    deleted: defaulted.integer,
  },
  /** The last event that `weekly_installations` counts. There is at most one row. */
  counted_events: {
    /** The epoch of the registry whose feed has that place. */
    epoch: key,
    position: integer,
    id: text,
  },
  /** The first reading of a machine's clock since the machine was started or its clock was set. */
  clock_observations: {
    /** Identifies the start of the machine. */
    boot_id: key,
    observed_at: integer,
    /** How long the machine had run at that moment. */
    uptime_ms: integer,
  },
  /** The settings that all processes share. There is one row. */
  settings: {
    /** Counts changes. */
    revision: integer,
    /** A random text for each revision, as for an app. */
    revision_nonce: text,
    /** The value of each setting by its name, as JSON. */
    content: text,
    /** The setting `changesToApproved` as `RequestLookups` reads it. */
    changes_to_approved: column<'live' | 'hold'>('text', `default 'live' not null`),
    /** Null until a setting is changed. */
    updated_at: optional.integer,
  },
  registry_schema: {
    version: integer,
    /** The oldest schema version whose programs may still use this database. */
    usable_from: integer,
    /** Identifies the first migration, by which a database of an unreleased build is recognised. */
    baseline: text,
  },
  registry_epoch: {
    epoch: text,
  },
};
