import { AppUpdate, type DeveloperApp } from '../contract/app.ts';
import { check } from '../contract/check.ts';
import { findApp, findAppForUpdate, updateApp as storeApp } from '../storage/apps.ts';
import { NotUnique } from '../storage/failure.ts';
import type { Connection } from '../storage/query.ts';
import type { AppContent, AppRow } from '../storage/tables.ts';
import { contentChange, givenContent, nameTaken, requireOwnLogo } from './app-content.ts';
import { developerView } from './app-view.ts';
import { appendEvent } from './append-event.ts';
import { appNotFound, Failure, refuseFaults, requireAppId } from './failure.ts';
import { nameKey } from './name-key.ts';
import type { Caller, Registry } from './registry.ts';

export interface UpdateAppInput {
  appId: string;
  /** Whose app it must be: another developer's app is not found (decision 25). */
  developerId: string;
  /** The body as it came. */
  update: unknown;
  /** The revisions that the developer may have seen; without it any will do. */
  ifRevision?: readonly number[] | undefined;
}

export interface UpdatedApp {
  app: DeveloperApp;
  /** Counts changes of the developer's content. */
  revision: number;
}

/**
 * Update App (interface 4.1): changes only the fields that are given and answers the whole app.
 * An update that gives no field is a read. Refuses with `invalid_content`, `app_not_found`,
 * `precondition_failed`, `app_under_review` or `name_taken`, in this order, and then writes nothing.
 */
export async function updateApp(registry: Registry, caller: Caller, input: UpdateAppInput): Promise<UpdatedApp> {
  refuseFaults(check(AppUpdate, input.update));
  requireAppId(input.appId);
  const given = givenContent(input.update as AppUpdate);
  if (Object.keys(given).length === 0) {
    const app = requireOwned(await findApp(registry.storage.reader, { id: input.appId }), input);
    requireRevision(app, input);
    return updated(registry, app);
  }
  try {
    const app = await registry.storage.write((transaction) => change(registry, caller, { input, given, transaction }));
    return updated(registry, app);
  } catch (error) {
    throw error instanceof NotUnique && error.constraint === 'apps_name_claim' ? nameTaken() : error;
  }
}

/** Whether an update is a good one that gives no field. */
export function isRead(update: unknown): boolean {
  return check(AppUpdate, update) === null && Object.keys(givenContent(update as AppUpdate)).length === 0;
}

interface ChangeWork {
  input: UpdateAppInput;
  given: Partial<AppContent>;
  transaction: Connection;
}

async function change(registry: Registry, caller: Caller, { input, given, transaction }: ChangeWork): Promise<AppRow> {
  const app = requireOwned(await findAppForUpdate(transaction, { id: input.appId }), input);
  await requireOwnLogo(transaction, given.logo_id, app.developer_id);
  requireRevision(app, input);

  const changed = (Object.keys(given) as (keyof AppContent)[]).filter((column) => given[column] !== app[column]);
  if (changed.length === 0) return app;
  if (app.review_status === 'AWAITING_REVIEW') {
    throw new Failure(
      'app_under_review',
      'The app awaits review and cannot change until it is decided. Wait for the decision, or have the submission withdrawn.',
    );
  }

  const at = Math.max(registry.now(), app.updated_at);
  const row = withContent(registry, { ...app, updated_at: at }, given);
  await storeApp(transaction, row);
  await appendEvent(
    transaction,
    { caller, at },
    {
      type: 'app.updated',
      appId: app.id,
      subjectId: app.id,
      before: contentChange(app, changed),
      after: contentChange(row, changed),
    },
  );
  return row;
}

function withContent(registry: Registry, app: AppRow, given: Partial<AppContent>): AppRow {
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

function requireOwned(app: AppRow | null, { developerId }: UpdateAppInput): AppRow {
  if (app?.developer_id === developerId) return app;
  throw appNotFound();
}

function requireRevision(app: AppRow, { ifRevision }: UpdateAppInput): void {
  if (!ifRevision || ifRevision.includes(app.revision)) return;
  throw new Failure(
    'precondition_failed',
    'The app has changed since it was read. Read it again and repeat the update on what it is now.',
  );
}

function updated(registry: Registry, app: AppRow): UpdatedApp {
  return { app: developerView(registry, app), revision: app.revision };
}
