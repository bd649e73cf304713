import { contentOf } from '../../registry/apps/app-content.ts';
import { columnsOfLaterReleases } from '../../registry/apps/deleted-app.ts';
import type { AppRow, DecisionRow, DeveloperRow, InstallationRow, Tables } from '../tables.ts';

/** Text that is easily corrupted: beyond the basic plane, joined, quoted, escaped, on several lines. */
const difficultText = `👩‍👩‍👧 Ünïcode "quoted" 'twice' \\u0041 \\ $1 ? :x\r\n\tĳ${'\u{10ffff}'}`;

/** 4,000 characters, each of four bytes. */
const longText = '😀'.repeat(4_000);

/** The last millisecond that a date can represent. */
const lastTime = 8_640_000_000_000_000;

export function developerRow(given: Partial<DeveloperRow> = {}): DeveloperRow {
  return {
    user_id: 'user_1',
    email: 'ada@example.com',
    first_name: null,
    last_name: null,
    created_at: 1_000,
    updated_at: 1_000,
    suspended_at: null,
    suspension_reason: null,
    revision_stamp: null,
    ...given,
  };
}

export function appRow(given: Partial<AppRow> = {}): AppRow {
  return {
    ...contentOf({ name: 'An app' }),
    id: 'app_1',
    developer_id: 'user_1',
    name_key: 'an app',
    name_claim: null,
    review_status: 'DRAFT',
    rejection_reason: null,
    approved_content: null,
    approved_revision: null,
    installation_count: 0,
    ...columnsOfLaterReleases,
    revision: 1,
    revision_stamp: 'stamp',
    platform_revision: 1,
    created_at: 1_000,
    updated_at: 1_000,
    derived_from: '1.0.DRAFT',
    ...given,
  };
}

export function decisionRow(given: Partial<DecisionRow> = {}): DecisionRow {
  return {
    event_id: 'event_1',
    app_id: 'app_1',
    step: 'approve',
    revision: 1,
    revision_stamp: null,
    content: '{}',
    code: null,
    message: null,
    fields: null,
    note: null,
    actor: 'token_1',
    decided_at: 0,
    waiting_since: null,
    ...given,
  };
}

export function installationRow(given: Partial<InstallationRow> = {}): InstallationRow {
  return {
    id: 'installation_1',
    app_id: 'app_1',
    workspace_id: 'workspace_1',
    user_id: 'user_2',
    enabled: 1,
    disabled_by: null,
    created_at: 1_000,
    ...given,
  };
}

/** Rows of every table, by key, with every nullable column both set and null. */
export const sampleRows: { [Table in keyof Tables]: Tables[Table][] } = {
  developers: [
    developerRow(),
    developerRow({
      user_id: 'user_2',
      first_name: difficultText,
      last_name: longText,
      updated_at: lastTime,
      suspended_at: lastTime,
      suspension_reason: longText,
    }),
  ],
  logos: [
    {
      id: 'logo_1',
      developer_id: 'user_1',
      png: Uint8Array.from({ length: 256 }, (_, byte) => byte),
      created_at: 0,
      blocked_at: null,
      blocked_reason: null,
    },
    {
      id: 'logo_2',
      developer_id: 'user_2',
      png: new Uint8Array(300_000).fill(0xff),
      created_at: lastTime,
      blocked_at: lastTime,
      blocked_reason: difficultText,
    },
  ],
  apps: [
    appRow(),
    appRow({
      id: 'app_2',
      developer_id: 'user_2',
      name: difficultText,
      name_key: difficultText,
      name_claim: difficultText,
      logo_id: 'logo_1',
      short_description: difficultText,
      long_description: longText,
      login_url: 'https://example.com/login?a=1&b=%20',
      callback_url: 'http://[::1]:3000/',
      review_status: 'APPROVED',
      rejection_reason: difficultText,
      approved_content: JSON.stringify({ name: difficultText }),
      approved_revision: 7,
      approved_revision_stamp: 'stamp',
      approved_name_key: 'approved',
      withdrawn: '{"callback_url":9}',
      change_since: lastTime,
      transfer_since: lastTime,
      waiting_since: lastTime,
      suspended_status: 'APPROVED',
      shown_at: lastTime,
      installation_count: 1_000_000,
      revision: Number.MAX_SAFE_INTEGER,
      created_at: lastTime,
    }),
  ],
  installations: [
    installationRow({ created_at: lastTime }),
    installationRow({
      id: 'installation_2',
      app_id: 'app_2',
      enabled: 0,
      disabled_by: 'workspace suspension',
      created_at: 0,
    }),
  ],
  access_tokens: [
    {
      id: 'token_1',
      kind: 'platform',
      developer_id: null,
      name: null,
      hash: 'aa',
      created_at: 0,
      expires_at: 1,
      revoked_at: null,
      scopes: null,
      updates_per_minute: null,
      reads_per_minute: 0,
      last_used_at: null,
      suspended: 0,
    },
    {
      id: 'token_2',
      kind: 'developer',
      developer_id: 'user_1',
      name: difficultText,
      hash: 'bb',
      created_at: 1,
      expires_at: lastTime,
      revoked_at: lastTime,
      scopes: null,
      updates_per_minute: 999_999_999,
      reads_per_minute: null,
      last_used_at: lastTime,
      suspended: 0,
    },
  ],
  events: [
    {
      id: 'event_1',
      type: 'developer.created',
      occurred_at: 0,
      app_id: null,
      subject_id: 'user_1',
      actor: 'command-line',
      request_id: null,
      traceparent: null,
      before: null,
      after: null,
      details: null,
      reason: null,
    },
    {
      id: 'event_2',
      type: 'app.updated',
      occurred_at: lastTime,
      app_id: 'app_1',
      subject_id: 'app_1',
      actor: 'token_1',
      request_id: 'request_1',
      traceparent: null,
      before: JSON.stringify({ name: difficultText }),
      after: JSON.stringify({ name: longText }),
      details: JSON.stringify({ changedSinceApproval: ['name'] }),
      reason: null,
    },
  ],
  deleted_apps: [
    { id: 'app_3', developer_id: 'user_1', row: JSON.stringify({ name: longText }), deleted_at: lastTime },
  ],
  revoked_installations: [{ id: 'installation_2', app_id: 'app_2' }],
  decisions: [
    decisionRow(),
    {
      event_id: 'event_2',
      app_id: difficultText,
      step: 'reject',
      revision: Number.MAX_SAFE_INTEGER,
      revision_stamp: 'stamp',
      content: longText,
      code: 'spam',
      message: longText,
      fields: '[]',
      note: difficultText,
      actor: difficultText,
      decided_at: lastTime,
      waiting_since: lastTime,
    },
  ],
  name_claims: [{ name_key: 'claimed', app_id: 'app_1' }],
  app_identities: [
    { app_id: 'app_1', source: 'current', field: 'name', kind: 'name', value: 'one', skeleton: 'one' },
    { app_id: 'app_2', source: 'approved', field: 'name', kind: 'name', value: difficultText, skeleton: difficultText },
  ],
  identity_versions: [{ skeletons: '16.0.0' }],
  protected_names: [
    { id: 'one', kind: 'name', value: 'One', key: 'one', developer_ids: '[]', note: null, created_at: 0 },
    {
      id: 'two',
      kind: 'host',
      value: difficultText,
      key: difficultText,
      developer_ids: '["user_1"]',
      note: longText,
      created_at: lastTime,
    },
  ],
  stale_apps: [{ app_id: 'app_1' }],
  review_claims: [
    { app_id: 'app_1', actor: 'token_1', claimed_at: 0, expires_at: 1 },
    { app_id: 'app_2', actor: difficultText, claimed_at: lastTime, expires_at: lastTime },
  ],
  review_notes: [
    { id: 'note_1', app_id: 'app_1', text: 'A note', actor: 'token_1', created_at: 0 },
    { id: 'note_2', app_id: 'app_3', text: longText, actor: difficultText, created_at: lastTime },
  ],
  reason_templates: [
    { id: 'template_1', title: 'Broken', message: 'It is broken.', code: null, created_at: 0, updated_at: 1 },
    {
      id: 'template_2',
      title: difficultText,
      message: longText,
      code: 'spam',
      created_at: lastTime,
      updated_at: lastTime,
    },
  ],
  idempotency_keys: [
    { token_id: 'token_1', key: difficultText, request_hash: 'cc', answer: longText, created_at: 0 },
    { token_id: 'token_2', key: 'key', request_hash: 'dd', answer: '{}', created_at: lastTime },
  ],
  response_texts: [{ hash: 'a0', text: longText, used_at: lastTime }],
  stored_bytes: [
    { day: '2026-03-01', developer_id: 'user_1', bytes: 0 },
    { day: '2026-03-01', developer_id: difficultText, bytes: 999_999_999_999 },
  ],
  event_archives: [
    {
      number: 1,
      id: 'one',
      sha256: 'b0',
      events: 1,
      last_event_id: 'event_0',
      last_occurred_at: lastTime,
      state: 'archived',
      moved: 1,
      created_at: 0,
    },
  ],
  webhooks: [
    {
      id: 'webhook_1',
      url: 'https://hooks.example.com/',
      name: null,
      types: null,
      secret: 'whsec_AA==',
      previous_secret: null,
      previous_secret_until: null,
      created_at: 0,
      updated_at: 0,
      disabled_at: null,
      disabled_reason: null,
      failing_since: null,
      batch: 0,
      requests_at_once: null,
      lease_holder: null,
      lease_beat: 0,
    },
    {
      id: 'webhook_2',
      url: longText,
      name: difficultText,
      types: 'app.created app.updated',
      secret: 'whsec_AQ==',
      previous_secret: 'whsec_Ag==',
      previous_secret_until: lastTime,
      created_at: 1,
      updated_at: lastTime,
      disabled_at: lastTime,
      disabled_reason: difficultText,
      failing_since: 2,
      batch: 1,
      requests_at_once: 7,
      lease_holder: 'process',
      lease_beat: 7,
    },
  ],
  webhook_processes: [
    { id: 'process_1', beat: 0, without_key: '' },
    { id: 'process_2', beat: lastTime, without_key: difficultText },
  ],
  webhook_leases: [
    { webhook_id: 'webhook_1', shard: 0, holder: null },
    { webhook_id: 'webhook_2', shard: 15, holder: 'process_2' },
  ],
  deliveries: [
    {
      id: 'delivery_1',
      webhook_id: 'webhook_1',
      event_id: 'event_1',
      queue: 'app_1',
      state: 'pending',
      attempts: 0,
      due_at: 0,
      created_at: 0,
      attempted_at: null,
      finished_at: null,
      answer_status: null,
      answer: null,
    },
    {
      id: 'delivery_2',
      webhook_id: 'webhook_2',
      event_id: 'event_1',
      queue: difficultText,
      state: 'failed',
      attempts: 7,
      due_at: lastTime,
      created_at: 1,
      attempted_at: lastTime,
      finished_at: lastTime,
      answer_status: 500,
      answer: longText,
    },
  ],
  sessions: [
    { hash: 'ee', token_id: 'token_1', holder: null, created_at: 0, expires_at: 1 },
    { hash: 'ff', token_id: null, holder: difficultText, created_at: 1, expires_at: lastTime },
  ],
  daily_counts: [
    {
      day: '2026-03-01',
      draft_apps: 0,
      awaiting_review_apps: 1,
      approved_apps: 999_999_999,
      rejected_apps: 2,
      installations: lastTime,
      counted_at: lastTime,
    },
  ],
  weekly_installations: [
    { week: 0, app_id: '', created: 0, deleted: 0 },
    { week: 2_900, app_id: difficultText, created: Number.MAX_SAFE_INTEGER, deleted: 1 },
  ],
  counted_events: [{ epoch: 'epoch', position: 0, id: difficultText }],
  clock_observations: [
    { boot_id: 'boot_1', observed_at: lastTime, uptime_ms: 0 },
    { boot_id: difficultText, observed_at: 0, uptime_ms: lastTime },
  ],
  settings: [{ revision: 900, revision_stamp: 'stamp', content: '{"uniqueNames":false}', changes_to_approved: 'hold' }],
  schema_version: [{ version: 900, usable_from: 1 }],
  registry_epoch: [{ epoch: 'another' }],
};

/** The tables, each after those that it references. */
export const tableNames = Object.keys(sampleRows) as (keyof Tables)[];
