import { NotUnique } from '../../storage/failure.ts';
import { updateApp as storeApp, updateAppContent as storeContent } from '../../storage/queries/apps.ts';
import type { Connection } from '../../storage/query.ts';
import type { AppContent, AppRow } from '../../storage/tables.ts';
import { appendEvent } from '../events/append-event.ts';
import { Failure } from '../failure.ts';
import type { Caller, Registry } from '../registry.ts';
import { changedColumns, nameTaken, requireOwnLogo } from './app-content.ts';
import { contentUpdated } from './app-event-data.ts';
import { nameKey } from './name-key.ts';

interface ContentChange {
  transaction: Connection;
  /** Locked, and one that the caller may change. */
  app: AppRow;
  given: Partial<AppContent>;
  ifRevision: readonly number[] | undefined;
}

/**
 * Changes what is given of an app's content, whoever asks. Refuses with `invalid_content` (the logo),
 * `precondition_failed` or `app_under_review`, in this order; a name that is taken fails as `orNameTaken` tells.
 */
export async function changeAppContent(
  registry: Registry,
  caller: Caller,
  { transaction, app, given, ifRevision }: ContentChange,
): Promise<AppRow> {
  await requireOwnLogo(transaction, given.logo_id, app.developer_id);
  requireRevision(app, ifRevision);

  const changed = changedColumns(app, { ...app, ...given });
  if (changed.length === 0) return app;
  if (app.review_status === 'AWAITING_REVIEW') {
    throw new Failure(
      'app_under_review',
      'The app awaits review and cannot change until it is decided. Wait for the decision, or have the submission withdrawn.',
    );
  }

  const at = Math.max(registry.now(), app.updated_at);
  const row = withContent(registry, app, { ...given, updated_at: at });
  const isNamed = row.name !== app.name || row.name_claim !== app.name_claim;
  const store = isNamed ? storeApp : storeContent;
  const event = {
    type: 'app.updated',
    appId: app.id,
    subjectId: app.id,
    ...contentUpdated(app, row, changed),
  } as const;
  await Promise.all([store(transaction, row), appendEvent(transaction, { caller, at, ...event })]);
  return row;
}

/** Refuses an app that is not at one of these revisions any more. */
export function requireRevision(app: AppRow, ifRevision: readonly number[] | undefined): void {
  if (!ifRevision || ifRevision.includes(app.revision)) return;
  throw new Failure(
    'precondition_failed',
    'The app has changed since it was read. Read it again and repeat the update on what it is now.',
  );
}

/** Why a write that stores a name has failed: `name_taken`, or whatever else was thrown. */
export function orNameTaken(error: unknown): unknown {
  return error instanceof NotUnique && error.constraint === 'apps_name_claim' ? nameTaken() : error;
}

function withContent(registry: Registry, app: AppRow, given: Partial<AppContent> & { updated_at: number }): AppRow {
  const key = given.name === undefined ? app.name_key : nameKey(given.name);
  return {
    ...app,
    ...given,
    name_key: key,
    name_claim: registry.uniqueNames ? key : null,
    revision: app.revision + 1,
    platform_revision: app.platform_revision + 1,
  };
}
