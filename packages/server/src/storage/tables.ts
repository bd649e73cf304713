/**
 * The rows, the same on both engines: ids and text as text, times as milliseconds since 1970,
 * booleans as 0 or 1, JSON as text.
 */
export interface Tables {
  developers: DeveloperRow;
  apps: AppRow;
  installations: InstallationRow;
  logos: LogoRow;
  access_tokens: AccessTokenRow;
  events: EventRow;
  deleted_apps: DeletedAppRow;
  decisions: DecisionRow;
  name_claims: NameClaimRow;
  pending_projections: PendingProjectionRow;
  search_texts: SearchTextRow;
  app_identities: AppIdentityRow;
  identity_versions: IdentityVersionRow;
  protected_names: ProtectedNameRow;
  review_claims: ReviewClaimRow;
  review_notes: ReviewNoteRow;
  reason_templates: ReasonTemplateRow;
  idempotency_keys: IdempotencyKeyRow;
  event_archives: EventArchiveRow;
  webhooks: WebhookRow;
  webhook_processes: WebhookProcessRow;
  webhook_leases: WebhookLeaseRow;
  deliveries: DeliveryRow;
  delivery_requests: DeliveryRequestRow;
  sessions: SessionRow;
  daily_counts: DailyCountsRow;
  weekly_installations: WeeklyInstallationsRow;
  counted_events: CountedEventsRow;
  clock_observations: ClockObservationRow;
  settings: SettingsRow;
  registry_schema: SchemaVersionRow;
  registry_epoch: RegistryEpochRow;
}

export interface DeveloperRow {
  user_id: string;
  email: string;
  first_name: string | null;
  last_name: string | null;
  created_at: number;
  updated_at: number;
  /** When an operator suspended the developer; null when none has. */
  suspended_at: number | null;
  suspension_reason: string | null;
  /** A random text for each change of the developer that their apps show. */
  revision_nonce: string;
}

/** The content of an app, which its developer edits. */
export interface AppContent {
  name: string;
  logo_id: string | null;
  short_description: string | null;
  long_description: string | null;
  background_color: string;
  login_url: string | null;
  callback_url: string | null;
}

export interface AppRow extends AppContent {
  id: string;
  developer_id: string;
  /** The normalised name, by which names are compared. */
  name_key: string;
  /** The name key while this app claims its name exclusively; null when names need not be unique. */
  name_claim: string | null;
  review_status: 'DRAFT' | 'AWAITING_REVIEW' | 'APPROVED' | 'REJECTED';
  /** The latest reason of a rejection or revocation. */
  rejection_reason: string | null;
  /** The content as it was when last approved, as JSON of `AppContent`. */
  approved_content: string | null;
  approved_revision: number | null;
  /** The random text of the approved revision; null while the app was never approved. */
  approved_revision_nonce: string | null;
  /** The key of the approved name, which the app claims beside its current one. */
  approved_name_key: string | null;
  /**
   * The optional columns of the approved content that were cleared since, each with the revision that did, as JSON: they
   * stay without effect until a later approval. Null when there are none.
   */
  withdrawn: string | null;
  /** Since when the content of an APPROVED app awaits a decision: when its oldest undecided revision was made; else 0. */
  change_since: number;
  /** Since when the transfer of an APPROVED app awaits a decision; else 0. */
  transfer_since: number;
  /** Since when the app is in the review queue, as a submission, a change or a transfer; 0 when it is not. */
  waiting_since: number;
  /** The review status from before the suspension of the developer; null when the developer is not suspended. */
  suspended_status: 'DRAFT' | 'AWAITING_REVIEW' | 'APPROVED' | 'REJECTED' | null;
  installation_count: number;
  /** Counts changes of the content. */
  revision: number;
  /** A random text for each revision. */
  revision_nonce: string;
  /** Counts changes of anything in the platform view. */
  platform_revision: number;
  /** A random text for each of these changes. */
  platform_revision_nonce: string;
  /** When it was submitted for review; 0 when it awaits none. */
  submitted_at: number;
  created_at: number;
  /** When the content or the review status last changed. */
  updated_at: number;
  /** When what the platform view shows of them last changed; 0 when that is `updated_at`. */
  shown_at: number;
}

export interface InstallationRow {
  id: string;
  app_id: string;
  workspace_id: string;
  user_id: string;
  enabled: 0 | 1;
  /**
   * Why it is disabled: any of `workspace`, `revocation` and `suspension`, separated by spaces. Null when it is enabled.
   */
  disabled_by: string | null;
  created_at: number;
}

export interface LogoRow {
  id: string;
  developer_id: string;
  /** 512 by 512 pixels. */
  png: Uint8Array;
  created_at: number;
  /** When an operator blocked it; null when none has. */
  blocked_at: number | null;
  blocked_reason: string | null;
}

export interface AccessTokenRow {
  id: string;
  kind: 'developer' | 'platform' | 'operator';
  developer_id: string | null;
  name: string | null;
  /** SHA-256 of the token, in hexadecimal. The token itself is stored nowhere. */
  hash: string;
  created_at: number;
  expires_at: number;
  revoked_at: number | null;
  /** The scopes of an operator token, separated by spaces; null for every other kind, which has none. */
  scopes: string | null;
  /** Limits of this token that override the defaults; null means the default, 0 means no limit. */
  updates_per_minute: number | null;
  reads_per_minute: number | null;
  /** The start of the hour of its last use; null before its first use. */
  last_used_at: number | null;
  /** Whether its developer is suspended. */
  suspended: 0 | 1;
}

export interface EventRow {
  id: string;
  type: string;
  occurred_at: number;
  app_id: string | null;
  /** The object that changed: a developer, an app, an installation, a logo or a token. */
  subject_id: string;
  /** The id of an access token, `command-line:` and who runs the command, or `maintenance` for what the server does by itself. */
  actor: string;
  request_id: string | null;
  /** The trace of the request, as W3C Trace Context writes it. */
  traceparent: string | null;
  /** What changed, before and after, as JSON; null before a creation and after a deletion. */
  before: string | null;
  after: string | null;
  /** Other data of its type, as JSON. */
  details: string | null;
  /** What the change altered of the content that a platform may act on, as JSON (0055); null if nothing. */
  effective: string | null;
  /** The reason, in the words of the caller. */
  reason: string | null;
}

/** A deleted app that can still be restored. */
export interface DeletedAppRow {
  id: string;
  developer_id: string;
  /** Its `AppRow` before deletion, as JSON. */
  row: string;
  deleted_at: number;
}

/** A decision of a reviewer. */
export interface DecisionRow {
  /** The event of the decision. */
  event_id: string;
  app_id: string;
  step: string;
  /** The revision that was decided on, and its content as JSON. */
  revision: number;
  revision_nonce: string;
  content: string;
  code: string | null;
  /** For the developer. */
  message: string | null;
  /** Messages on single fields, as JSON. */
  fields: string | null;
  /** Only for operators. */
  note: string | null;
  actor: string;
  decided_at: number;
  /** Since when the app was in the review queue; null when it was not. */
  waiting_since: number | null;
}

/** A name that an app holds exclusively. Triggers derive it from `name_claim` and `approved_name_key` of the app. */
export interface NameClaimRow {
  name_key: string;
  app_id: string;
}

/** The mark of an app or developer whose rows in `search_texts` and `app_identities` are to be made again. */
export interface PendingProjectionRow {
  subject_id: string;
  /** Counts the changes since it was set. */
  version: number;
}

/**
 * The texts that operators find an app by, also a deleted one, or a developer. Each has a space before each word, by which
 * the start of a word is found, and two at the end, so that each character begins a trigram.
 */
export interface SearchTextRow {
  subject_id: string;
  /** The key of the current name, and that of the approved one if it is another. Null for a developer. */
  name: string | null;
  /** Those of the current addresses. Null without any, and for a deleted app. */
  hosts: string | null;
  /** The email address and the names of a developer. Null for an app. */
  person: string | null;
}

/** A name or host of an app's content, by which apps are compared. */
export interface AppIdentityRow {
  app_id: string;
  source: 'current' | 'approved';
  /** The column of the content. */
  field: string;
  kind: 'name' | 'host';
  /** The name key, or the labels of the host from the last to the first. */
  value: string;
  /** The same for names that look alike (UTS #39). */
  skeleton: string;
}

/** The version of the data that the skeletons were made with. There is at most one row. */
export interface IdentityVersionRow {
  skeletons: string;
}

/** A name or host that only some developers may use. */
export interface ProtectedNameRow {
  id: string;
  kind: 'name' | 'host';
  value: string;
  /** What it is compared by. */
  key: string;
  /** As JSON. */
  developer_ids: string;
  note: string | null;
  created_at: number;
}

/** The reviewer who currently claims an app. */
export interface ReviewClaimRow {
  app_id: string;
  actor: string;
  claimed_at: number;
  expires_at: number;
}

/** A note by a reviewer about an app for other reviewers. It stays with a deleted app until the app is purged. */
export interface ReviewNoteRow {
  id: string;
  app_id: string;
  text: string;
  actor: string;
  created_at: number;
}

/** A text that reviewers begin a reason with. */
export interface ReasonTemplateRow {
  id: string;
  title: string;
  message: string;
  code: string | null;
  created_at: number;
  updated_at: number;
}

/** The response to a request with an Idempotency-Key, per token. */
export interface IdempotencyKeyRow {
  token_id: string;
  key: string;
  /** Distinguishes another request under the same key. */
  request_hash: string;
  /** The response, as JSON. */
  response: string;
  created_at: number;
}

/** A file of archived events. */
export interface EventArchiveRow {
  /** Counts from 1. The events of an archive follow those of the one before. */
  number: number;
  /** The id in the file, a UUID. */
  id: string;
  /** SHA-256 of the content of the file up to its last line, in hexadecimal. */
  sha256: string;
  /** How many events the file holds. */
  events: number;
  last_event_id: string;
  /** The latest time of its events. */
  last_occurred_at: number;
  state: 'deleting' | 'archived' | 'restoring';
  /** In the order of the file, how many of its events are already deleted or restored. */
  moved: number;
  created_at: number;
}

export interface WebhookRow {
  id: string;
  url: string;
  name: string | null;
  /** The subscribed event types, separated by spaces; null for all. */
  types: string | null;
  /** Whether it receives only events that carry `effective`. */
  effective_only: 0 | 1;
  /** `whsec_` and the key. It signs each delivery, so it cannot be stored as a hash. */
  secret: string;
  /** The previous secret, which also signs until `previous_secret_until`. */
  previous_secret: string | null;
  previous_secret_until: number | null;
  created_at: number;
  updated_at: number;
  disabled_at: number | null;
  /** Why the registry disabled it; null when an operator did. */
  disabled_reason: string | null;
  /** When deliveries started to fail; null if the last one succeeded. */
  failing_since: number | null;
  /** Whether it receives events of one queue together. */
  batch: 0 | 1;
  /** How many requests each process sends to it at the same time; null for the default. */
  requests_at_once: number | null;
}

/** A process that delivers events. */
export interface WebhookProcessRow {
  id: string;
  /** A counter that the process increments. If it stops counting, the process has died. */
  beat: number;
  /** The webhooks whose secret it has no key for, separated by spaces. */
  without_key: string;
}

/** A share of the queues of a webhook, and the process that serves it. */
export interface WebhookLeaseRow {
  webhook_id: string;
  shard: number;
  /** Null when it is free. */
  holder: string | null;
}

/** One event for one webhook. The database assigns its `position`, which orders the deliveries in a queue. */
export interface DeliveryRow {
  id: string;
  webhook_id: string;
  event_id: string;
  /** The app of the event, or else its subject. Deliveries of one queue are made one after another. */
  queue: string;
  state: 'pending' | 'delivered' | 'failed';
  attempts: number;
  /** The earliest time of the next attempt. */
  due_at: number;
  created_at: number;
  attempted_at: number | null;
  finished_at: number | null;
  /** Status of the response to the last attempt, if there was one. */
  response_status: number | null;
  /** The first part of that response, or why there was none. */
  response_body: string | null;
  /** The first delivery of the batch that the last attempt was made with; null when it was made alone. */
  sent_with: string | null;
}

/** The last request of a delivery, or of a batch whose first delivery it was. Its events and signature are not repeated. */
export interface DeliveryRequestRow {
  delivery_id: string;
  /** The `attempted_at` of its deliveries. Where it differs, they were attempted again without it. */
  recorded_at: number;
  sent_at: number;
  duration_ms: number;
  /** Without credentials and query. */
  url: string;
  user_agent: string;
  /** The events of a batch, separated by spaces; null for the one of the delivery. */
  event_ids: string | null;
  /** The response without its status and the start of its text, as JSON; null when there was none. */
  response: string | null;
}

/** A temporary substitute for an operator token: a browser session, or a code that starts one. */
export interface SessionRow {
  /** SHA-256 of its text, whose prefix distinguishes the two. The text itself is never stored. */
  hash: string;
  /** The token it substitutes; null when an identity provider has issued that token, which then has no row here. */
  token_id: string | null;
  /** The person such a token was issued to, as JSON. */
  holder: string | null;
  created_at: number;
  expires_at: number;
}

/** The last counts of a day. */
export interface DailyCountsRow {
  /** In UTC, such as 2026-03-01. */
  day: string;
  draft_apps: number;
  awaiting_review_apps: number;
  approved_apps: number;
  rejected_apps: number;
  installations: number;
  counted_at: number;
}

/** The installations that were made and deleted in a week. */
export interface WeeklyInstallationsRow {
  /** Weeks since Monday, 5 January 1970, in UTC. */
  week: number;
  /** Empty in the row of all apps together. Rows of single apps are deleted after two weeks. */
  app_id: string;
  created: number;
  deleted: number;
}

/** The last event that `weekly_installations` counts. There is at most one row. */
export interface CountedEventsRow {
  /** The epoch of the registry whose feed has that place. */
  epoch: string;
  position: number;
  id: string;
}

/** The first reading of a machine's clock since the machine was started or its clock was set. */
export interface ClockObservationRow {
  /** Identifies the start of the machine. */
  boot_id: string;
  observed_at: number;
  /** How long the machine had run at that moment. */
  uptime_ms: number;
}

/** The settings that all processes share. There is one row. */
export interface SettingsRow {
  /** Counts changes. */
  revision: number;
  /** A random text for each revision, as for an app. */
  revision_nonce: string;
  /** The value of each setting by its name, as JSON. */
  content: string;
  /** The setting `changesToApproved` as `RequestLookups` reads it. */
  changes_to_approved: 'live' | 'hold';
}

export interface SchemaVersionRow {
  version: number;
  /** The oldest schema version whose programs may still use this database (decision 37). */
  usable_from: number;
  /** Identifies the first migration, by which a database of an unreleased build is recognised. */
  baseline: string;
}

interface RegistryEpochRow {
  epoch: string;
}

/** The columns of `AppContent`. */
export const contentColumns = [
  'name',
  'logo_id',
  'short_description',
  'long_description',
  'background_color',
  'login_url',
  'callback_url',
] as const satisfies readonly (keyof AppContent)[];

/**
 * The columns of each table's rows; the first is the key. Queries name them, never `*`: a newer release may
 * add columns while this one runs (decision 37).
 */
export const columns = {
  developers: [
    'user_id',
    'email',
    'first_name',
    'last_name',
    'created_at',
    'updated_at',
    'suspended_at',
    'suspension_reason',
    'revision_nonce',
  ],
  apps: [
    'id',
    'developer_id',
    ...contentColumns,
    'name_key',
    'name_claim',
    'review_status',
    'rejection_reason',
    'approved_content',
    'approved_revision',
    'approved_revision_nonce',
    'approved_name_key',
    'withdrawn',
    'change_since',
    'transfer_since',
    'waiting_since',
    'suspended_status',
    'installation_count',
    'revision',
    'revision_nonce',
    'platform_revision',
    'platform_revision_nonce',
    'submitted_at',
    'created_at',
    'updated_at',
    'shown_at',
  ],
  installations: ['id', 'app_id', 'workspace_id', 'user_id', 'enabled', 'disabled_by', 'created_at'],
  logos: ['id', 'developer_id', 'png', 'created_at', 'blocked_at', 'blocked_reason'],
  access_tokens: [
    'id',
    'kind',
    'developer_id',
    'name',
    'hash',
    'created_at',
    'expires_at',
    'revoked_at',
    'scopes',
    'updates_per_minute',
    'reads_per_minute',
    'last_used_at',
    'suspended',
  ],
  events: [
    'id',
    'type',
    'occurred_at',
    'app_id',
    'subject_id',
    'actor',
    'request_id',
    'traceparent',
    'before',
    'after',
    'details',
    'effective',
    'reason',
  ],
  deleted_apps: ['id', 'developer_id', 'row', 'deleted_at'],
  decisions: [
    'event_id',
    'app_id',
    'step',
    'revision',
    'revision_nonce',
    'content',
    'code',
    'message',
    'fields',
    'note',
    'actor',
    'decided_at',
    'waiting_since',
  ],
  name_claims: ['name_key', 'app_id'],
  pending_projections: ['subject_id', 'version'],
  search_texts: ['subject_id', 'name', 'hosts', 'person'],
  app_identities: ['app_id', 'source', 'field', 'kind', 'value', 'skeleton'],
  identity_versions: ['skeletons'],
  protected_names: ['id', 'kind', 'value', 'key', 'developer_ids', 'note', 'created_at'],
  review_claims: ['app_id', 'actor', 'claimed_at', 'expires_at'],
  review_notes: ['id', 'app_id', 'text', 'actor', 'created_at'],
  reason_templates: ['id', 'title', 'message', 'code', 'created_at', 'updated_at'],
  idempotency_keys: ['token_id', 'key', 'request_hash', 'response', 'created_at'],
  event_archives: [
    'number',
    'id',
    'sha256',
    'events',
    'last_event_id',
    'last_occurred_at',
    'state',
    'moved',
    'created_at',
  ],
  webhooks: [
    'id',
    'url',
    'name',
    'types',
    'effective_only',
    'secret',
    'previous_secret',
    'previous_secret_until',
    'created_at',
    'updated_at',
    'disabled_at',
    'disabled_reason',
    'failing_since',
    'batch',
    'requests_at_once',
  ],
  webhook_processes: ['id', 'beat', 'without_key'],
  webhook_leases: ['webhook_id', 'shard', 'holder'],
  deliveries: [
    'id',
    'webhook_id',
    'event_id',
    'queue',
    'state',
    'attempts',
    'due_at',
    'created_at',
    'attempted_at',
    'finished_at',
    'response_status',
    'response_body',
    'sent_with',
  ],
  delivery_requests: [
    'delivery_id',
    'recorded_at',
    'sent_at',
    'duration_ms',
    'url',
    'user_agent',
    'event_ids',
    'response',
  ],
  sessions: ['hash', 'token_id', 'holder', 'created_at', 'expires_at'],
  daily_counts: [
    'day',
    'draft_apps',
    'awaiting_review_apps',
    'approved_apps',
    'rejected_apps',
    'installations',
    'counted_at',
  ],
  weekly_installations: ['week', 'app_id', 'created', 'deleted'],
  counted_events: ['epoch', 'position', 'id'],
  clock_observations: ['boot_id', 'observed_at', 'uptime_ms'],
  settings: ['revision', 'revision_nonce', 'content', 'changes_to_approved'],
  registry_schema: ['version', 'usable_from', 'baseline'],
  registry_epoch: ['epoch'],
} as const satisfies { [Table in keyof Tables]: readonly (keyof Tables[Table])[] };
