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
  revoked_installations: RevokedInstallationRow;
  idempotency_keys: IdempotencyKeyRow;
  schema_version: SchemaVersionRow;
  registry_epoch: RegistryEpochRow;
}

export interface DeveloperRow {
  user_id: string;
  email: string;
  first_name: string | null;
  last_name: string | null;
  created_at: number;
  updated_at: number;
}

/** What a developer edits of an app, as one row holds it. */
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
  /** What names are compared by. */
  name_key: string;
  /** The name key while this app holds its name alone; null when names need not be unique. */
  name_claim: string | null;
  review_status: 'DRAFT' | 'AWAITING_REVIEW' | 'APPROVED' | 'REJECTED';
  /** The latest reason of a rejection or revocation. */
  rejection_reason: string | null;
  /** The content as it was when last approved, as JSON of `AppContent`. */
  approved_content: string | null;
  approved_revision: number | null;
  installation_count: number;
  /** Counts changes of the content. */
  revision: number;
  /** Counts changes of whatever the platform view shows. */
  platform_revision: number;
  created_at: number;
  updated_at: number;
}

export interface InstallationRow {
  id: string;
  app_id: string;
  workspace_id: string;
  user_id: string;
  enabled: 0 | 1;
  created_at: number;
}

export interface LogoRow {
  id: string;
  developer_id: string;
  /** 512 by 512 pixels. */
  png: Uint8Array;
  created_at: number;
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
  /** Limits of this token, in place of the common ones; null when it has none of its own, 0 means no limit. */
  updates_per_minute: number | null;
  reads_per_minute: number | null;
}

export interface EventRow {
  id: string;
  type: string;
  occurred_at: number;
  app_id: string | null;
  /** The object that changed: a developer, an app, an installation, a logo or a token. */
  subject_id: string;
  /** The id of an access token, `command-line`, or `upkeep` for what a server does by itself. */
  actor: string;
  request_id: string | null;
  /** What changed, before and after, as JSON; null before a creation and after a deletion. */
  before: string | null;
  after: string | null;
}

/** An app that was deleted and can be restored for a while. */
interface DeletedAppRow {
  id: string;
  developer_id: string;
  /** The `AppRow` that it had, as JSON. */
  row: string;
  deleted_at: number;
}

/** An installation that was disabled because its app was revoked, and not by its workspace. */
interface RevokedInstallationRow {
  id: string;
  app_id: string;
}

/** The answer that an Idempotency-Key of a token got. */
interface IdempotencyKeyRow {
  token_id: string;
  key: string;
  /** Tells another request under the same key. */
  request_hash: string;
  /** What was answered, as JSON. */
  answer: string;
  created_at: number;
}

export interface SchemaVersionRow {
  version: number;
  /** The oldest schema version whose programs may still use this database (decision 37). */
  usable_from: number;
}

interface RegistryEpochRow {
  epoch: string;
}

/**
 * The columns of each table's rows; the first is the key. Queries name them, never `*`: a newer release may
 * add columns while this one runs (decision 37).
 */
export const columns = {
  developers: ['user_id', 'email', 'first_name', 'last_name', 'created_at', 'updated_at'],
  apps: [
    'id',
    'developer_id',
    'name',
    'name_key',
    'name_claim',
    'logo_id',
    'short_description',
    'long_description',
    'background_color',
    'login_url',
    'callback_url',
    'review_status',
    'rejection_reason',
    'approved_content',
    'approved_revision',
    'installation_count',
    'revision',
    'platform_revision',
    'created_at',
    'updated_at',
  ],
  installations: ['id', 'app_id', 'workspace_id', 'user_id', 'enabled', 'created_at'],
  logos: ['id', 'developer_id', 'png', 'created_at'],
  access_tokens: [
    'id',
    'kind',
    'developer_id',
    'name',
    'hash',
    'created_at',
    'expires_at',
    'revoked_at',
    'updates_per_minute',
    'reads_per_minute',
  ],
  events: ['id', 'type', 'occurred_at', 'app_id', 'subject_id', 'actor', 'request_id', 'before', 'after'],
  deleted_apps: ['id', 'developer_id', 'row', 'deleted_at'],
  revoked_installations: ['id', 'app_id'],
  idempotency_keys: ['token_id', 'key', 'request_hash', 'answer', 'created_at'],
  schema_version: ['version', 'usable_from'],
  registry_epoch: ['epoch'],
} as const satisfies { [Table in keyof Tables]: readonly (keyof Tables[Table])[] };
