import { NotUnique } from '../../storage/failure.ts';
import { updateApp, updateAppContent } from '../../storage/queries/apps.ts';
import type { Connection } from '../../storage/query.ts';
import type { AppContent, AppRow, EventRow } from '../../storage/tables.ts';
import { appendEventRow, toEventRow } from '../events/append-event.ts';
import type { NextEventId } from '../events/event-ids.ts';
import { Failure } from '../failure.ts';
import type { Caller, Registry } from '../registry.ts';
import { changedContentColumns, nameTaken, requireOwnLogo } from './app-content.ts';
import { contentUpdated } from './app-event-data.ts';
import { nameKey } from './name-key.ts';
import { nextRevision } from './next-revision.ts';
import { type RevisionCondition, requireRevision } from './revision-condition.ts';
import { movedClaim } from './unique-names.ts';

interface ContentChange extends RevisionCondition {
  transaction: Connection;
  /** Locked by the transaction, and authorised for the caller. */
  app: AppRow;
  /** Read after the lock. */
  nextEventId: NextEventId;
  given: Partial<AppContent>;
  /** Called before anything is written; it may refuse the change. */
  admit?: (change: { app: AppRow; event: EventRow }) => Promise<void>;
}

interface ChangedContent {
  app: AppRow;
  /** Null when nothing has changed. */
  event: EventRow | null;
}

/**
 * Changes the given fields of an app's content, for developers and operators. Refuses with `invalid_content` (the
 * logo), `precondition_failed` or `app_under_review`, in this order. Throws for a taken name: see `orNameTaken`.
 */
export async function changeAppContent(
  registry: Registry,
  caller: Caller,
  { transaction, app, nextEventId, given, admit, ...condition }: ContentChange,
): Promise<ChangedContent> {
  await requireOwnLogo(transaction, given.logo_id, app.developer_id);
  requireRevision(registry, app, condition);

  const changed = changedContentColumns(app, { ...app, ...given });
  if (changed.length === 0) return { app, event: null };
  if (app.review_status === 'AWAITING_REVIEW') {
    throw new Failure(
      'app_under_review',
      'The app awaits review and cannot change until a decision. Wait for the decision, or have the submission withdrawn.',
    );
  }

  const at = registry.now();
  const row = withContent(app, { ...given, updated_at: Math.max(at, app.updated_at) });
  const isRenamed = row.name !== app.name || row.name_claim !== app.name_claim;
  const update = isRenamed ? updateApp : updateAppContent;
  const change = {
    type: 'app.updated',
    appId: app.id,
    subjectId: app.id,
    ...contentUpdated(app, row, changed),
  } as const;
  const event = toEventRow({ caller, at, ...change }, nextEventId);
  await admit?.({ app: row, event });
  await Promise.all([update(transaction, row), appendEventRow(transaction, event)]);
  return { app: row, event };
}

/** Turns the error of a write that stored a taken name into `name_taken`; returns any other error unchanged. */
export function orNameTaken(error: unknown): unknown {
  return error instanceof NotUnique && error.constraint === 'apps_name_claim' ? nameTaken() : error;
}

function withContent(app: AppRow, given: Partial<AppContent> & { updated_at: number }): AppRow {
  const key = given.name === undefined ? app.name_key : nameKey(given.name);
  return {
    ...app,
    ...given,
    name_key: key,
    name_claim: movedClaim(app, key),
    ...nextRevision(app),
  };
}
