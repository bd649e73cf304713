import { Failure } from '../../kernel/failure.ts';
import type { Caller, Registry } from '../../kernel/registry.ts';
import { NotUnique } from '../../storage/failure.ts';
import type { Connection } from '../../storage/query.ts';
import type { AppContent, AppRow, EventRow } from '../../storage/tables.ts';
import type { NextEventId } from '../events/event-ids.ts';
import { changedContentColumns, nameTaken, requireOwnLogo } from './app-content.ts';
import { contentUpdated } from './app-event-data.ts';
import { type ChangesToApproved, nextWithdrawn } from './effective-content.ts';
import { nextApp } from './next-app.ts';
import { type RevisionCondition, requireRevision } from './revision-condition.ts';
import { appEvent, storeAppWith } from './store-app.ts';

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

export interface ChangedContent {
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
