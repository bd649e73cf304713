import { Failure } from '../../kernel/failure.ts';
import type { Caller, Registry } from '../../kernel/registry.ts';
import { type RevisionCondition, requireRevision } from '../../kernel/revision.ts';
import type { Connection } from '../../storage/query.ts';
import { NotUnique } from '../../storage/storage-failure.ts';
import type { AppContent, AppRow, EventRow } from '../../storage/tables.ts';
import type { NextEventId } from '../events/append-event.ts';
import type { SettingValues } from '../settings/settings.ts';
import { changedContentColumns, nameTaken, requireOwnLogo } from './app-content.ts';
import { claimNames, listSharedNames, releaseNames } from './app-queries.ts';
import { type ChangesToApproved, nextApp, nextWithdrawn } from './next-app.ts';
import { appEvent, contentUpdated, storeAppWith } from './store-app.ts';

interface ContentChange extends RevisionCondition {
  transaction: Connection;
  /** Locked by the transaction, and authorised for the caller. */
  app: AppRow;
  /** Both read after the lock. */
  mode: ChangesToApproved;
  nextEventId: NextEventId;
  given: Partial<AppContent>;
  /** The content is that of an earlier revision. */
  revert?: { toRevision: number };
}

interface ChangedContent {
  app: AppRow;
  /** Null if nothing has changed. */
  event: EventRow | null;
}

/**
 * Changes the given fields of an app's content, for developers and operators. Refuses with `invalid_content` (the
 * logo), `precondition_failed` or `app_under_review`, in this order. Throws for a taken name: see `orNameTaken`.
 */
export async function changeAppContent(
  registry: Registry,
  caller: Caller,
  { transaction, app, mode, nextEventId, given, revert, ...condition }: ContentChange,
): Promise<ChangedContent> {
  // An app keeps a logo that was blocked since it was set.
  if (given.logo_id !== app.logo_id) await requireOwnLogo(transaction, given.logo_id, app.developer_id);
  requireRevision(registry, app, condition);

  const changed = changedContentColumns(app, { ...app, ...given });
  const isRevert = revert !== undefined;
  // The same content, but an address in it has no effect until it is approved or brought back.
  const isRestored = isRevert && changed.length === 0 && nextWithdrawn(app, app, { isRevert }) !== app.withdrawn;
  if (changed.length === 0 && !isRestored) return { app, event: null };
  if (app.review_status === 'AWAITING_REVIEW') {
    throw new Failure(
      'app_under_review',
      'The app awaits review and cannot change until a decision. Wait for the decision, or have the submission withdrawn.',
    );
  }

  const at = registry.now();
  const after = nextApp(app, isRestored ? { revision: app.revision + 1 } : given, { at, mode, isRevert });
  const change = {
    type: 'app.updated',
    appId: app.id,
    subjectId: app.id,
    ...contentUpdated(app, after, changed),
    ...(revert && { restoredRevision: revert.toRevision }),
  } as const;
  const event = appEvent({ caller, at }, { before: app, after, mode, change }, nextEventId);
  await storeAppWith(transaction, { caller, before: app, after }, event);
  return { app: after, event };
}

/** Turns the error of a write that stored a taken name into `name_taken`; returns any other error unchanged. */
export function orNameTaken(error: unknown): unknown {
  return isClaimed(error) ? nameTaken() : error;
}

/** Whether a write failed because another app claims a name. */
export function isClaimed(error: unknown): boolean {
  return error instanceof NotUnique && error.constraint === 'name_claims_pkey';
}

const listedMax = 10;

/**
 * The row of a new app, which claims its name if names are unique. An app that exists keeps its claim:
 * `apps.name_claim` of all apps changes with the setting.
 */
export function withNameClaim(row: AppRow, { uniqueNames }: Pick<SettingValues, 'uniqueNames'>): AppRow {
  return { ...row, name_claim: uniqueNames ? row.name_key : null };
}

/** Inside a write that locks the settings: every app claims its name, or none. Throws for a shared name: see `orNamesShared`. */
export async function applyUniqueNames(transaction: Connection, uniqueNames: boolean): Promise<void> {
  await (uniqueNames ? claimNames : releaseNames)(transaction, {});
}

/** Turns the error of a write that claimed a shared name into `names_shared`; returns any other error unchanged. */
export async function orNamesShared({ storage }: Registry, error: unknown): Promise<unknown> {
  if (!isClaimed(error)) return error;
  const names = (await listSharedNames(storage.reader, {})).map(({ name_key: key }) => JSON.stringify(key));
  const listed = names.slice(0, listedMax).join(', ');
  return new Failure(
    'names_shared',
    `Several apps share a name: ${listed}${names.length > listedMax ? ' and more' : ''}. Rename these apps before names can be unique. An approved name also counts until another one is approved.`,
  );
}
