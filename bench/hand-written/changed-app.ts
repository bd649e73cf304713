import { randomBytes } from 'node:crypto';
import { appContentFields } from '../../packages/server/src/features/apps/app-content.ts';
import type { AppContent, AppRow } from '../../packages/server/src/storage/tables.ts';

/** The row of an app after a change, under the setting `live`. */
export function changedApp(app: AppRow, changes: Partial<AppContent>): AppRow {
  const after: AppRow = {
    ...app,
    ...changes,
    ...revisionsAfter(app),
    updated_at: Math.max(Date.now(), app.updated_at),
    shown_at: 0,
  };
  if (changes.name) {
    after.name_key = changes.name.toLowerCase();
    after.name_claim = after.name_key;
  }
  after.cleared_since_approval = clearedAfter(app, after);
  after.change_since = hasUndecided(after) ? app.change_since || after.updated_at : 0;
  const waiting = [after.change_since, after.transfer_since].filter((since) => since !== 0);
  after.waiting_since = waiting.length === 0 ? 0 : Math.min(...waiting);
  return after;
}

/** The paths of the fields that differ from the approved content; undefined when there is none. */
export function changedSinceApproval(app: AppRow): string[] | undefined {
  if (app.approved_content === null) return undefined;
  const approved = JSON.parse(app.approved_content);
  return appContentFields.filter(({ column }) => app[column] !== approved[column]).map(({ path }) => path);
}

function revisionsAfter(app: AppRow) {
  return {
    revision: app.revision + 1,
    revision_nonce: newRevisionNonce(),
    platform_revision: app.platform_revision + 1,
    platform_revision_nonce: newRevisionNonce(),
  };
}

function newRevisionNonce(): string {
  return randomBytes(9).toString('base64url');
}

/** An address that is removed has no effect until a later approval. */
function clearedAfter(before: AppRow, after: AppRow): string | null {
  if (after.approved_content === null) return null;
  const cleared = JSON.parse(before.cleared_since_approval ?? '{}');
  for (const column of ['login_url', 'callback_url'] as const) {
    if (before[column] !== null && after[column] === null) cleared[column] = after.revision;
  }
  return Object.keys(cleared).length === 0 ? null : JSON.stringify(cleared);
}

/** Whether an approved app has content to be decided on: different, or removed and set again. */
function hasUndecided(app: AppRow): boolean {
  if (app.review_status !== 'APPROVED' || app.approved_content === null) return false;
  const approved = JSON.parse(app.approved_content);
  const cleared = Object.keys(JSON.parse(app.cleared_since_approval ?? '{}'));
  const isBack = cleared.some((column) => approved[column] !== null);
  return isBack || changedSinceApproval(app)?.length !== 0;
}
