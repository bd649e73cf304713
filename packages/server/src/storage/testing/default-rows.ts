import { contentOf } from '../../features/apps/app-content.ts';
import type { AppRow, DecisionRow, DeveloperRow, InstallationRow } from '../tables.ts';

/** A developer, as all rows here with a valid value in every column that a test does not give. */
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
    revision_nonce: 'nonce_1',
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
    approved_revision_nonce: null,
    approved_name_key: null,
    withdrawn: null,
    change_since: 0,
    transfer_since: 0,
    waiting_since: 0,
    suspended_status: null,
    installation_count: 0,
    revision: 1,
    revision_nonce: 'nonce_1',
    platform_revision: 1,
    platform_revision_nonce: 'nonce_1',
    submitted_at: 0,
    created_at: 1_000,
    updated_at: 1_000,
    shown_at: 0,
    ...given,
  };
}

export function decisionRow(given: Partial<DecisionRow> = {}): DecisionRow {
  return {
    event_id: 'event_1',
    app_id: 'app_1',
    step: 'approve',
    revision: 1,
    revision_nonce: 'nonce_1',
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
