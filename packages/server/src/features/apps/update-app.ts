import { check, requireValid } from '../../kernel/check.ts';
import { appNotFound } from '../../kernel/failure.ts';
import { writeIdempotently } from '../../kernel/idempotency.ts';
import { requireAppId } from '../../kernel/ids.ts';
import { publicOperation } from '../../kernel/operation.ts';
import type { Caller, Registry } from '../../kernel/registry.ts';
import { type RevisionCondition, requireRevision, revisionETag } from '../../kernel/revision.ts';
import type { AppRow } from '../../storage/tables.ts';
import { requireNotSuspended } from '../developers/suspended-developer.ts';
import { readEventIds } from '../events/append-event.ts';
import { givenContent } from './app-content.ts';
import { findApp, findAppForUpdate } from './app-queries.ts';
import { AppUpdate, DeveloperApp } from './app-schemas.ts';
import { developerView } from './app-view.ts';
import { changeAppContent, orNameTaken, readChangesToApproved } from './change-app.ts';

/** Update App (interface 4.1). */
export const updateAppOperation = publicOperation({
  surface: 'public',
  id: 'updateApp',
  method: 'PATCH',
  path: '/developer/apps/v1/:id',
  summary: 'Update App',
  description:
    'Updates the fields in the body and leaves the others unchanged; null clears an optional field. `{}` changes nothing and returns the app. If any value is invalid, nothing changes and the response lists every validation error.',
  kind: 'developer',
  body: AppUpdate,
  ifMatch: true,
  response: DeveloperApp,
  refusals: [
    'malformed_request',
    'invalid_json',
    'token_missing',
    'token_invalid',
    'insufficient_scope',
    'https_required',
    'developer_suspended',
    'app_not_found',
    'request_timeout',
    'app_under_review',
    'name_taken',
    'request_in_progress',
    'precondition_failed',
    'body_too_large',
    'unsupported_media_type',
    'expectation_failed',
    'invalid_content',
    'idempotency_key_reused',
    'too_many_requests',
    'headers_too_large',
    'internal_error',
    'not_implemented',
    'unavailable',
  ],
  run: updateApp,
});

export interface UpdateAppInput extends RevisionCondition {
  appId: string;
  /** The owner: another developer's app is not found. */
  developerId: string;
  /** The body as received. */
  update: unknown;
  /** The preconditions as received: a retry of an update has the same ones. */
  condition?: readonly (string | null)[];
}

export interface UpdatedApp {
  app: DeveloperApp;
  /** Counts changes of the developer's content. */
  revision: number;
  /** The `ETag` of the revision. */
  etag: string;
}

/** The result as it is stored under a key. */
interface StoredUpdate extends Omit<UpdatedApp, 'etag'> {
  /** The random part of the `ETag`. */
  revisionNonce: string;
}

/**
 * Changes only the given fields and returns the app.
 * An update without fields is a read. Refuses with `invalid_content`, `app_not_found`, `precondition_failed`,
 * `app_under_review` or `name_taken`, in this order, and then writes nothing; before `app_not_found` it refuses a key with
 * `request_in_progress` or `idempotency_key_reused`.
 */
export async function updateApp(registry: Registry, caller: Caller, input: UpdateAppInput): Promise<UpdatedApp> {
  const update = requireValid(AppUpdate, input.update);
  requireAppId(input.appId);
  const given = givenContent(update);
  if (Object.keys(given).length === 0) {
    const app = requireOwned(await findApp(registry.storage.reader, { id: input.appId }), input);
    requireRevision(registry, app, input);
    return tagged(registry, updated(registry, app));
  }
  try {
    const stored = await writeIdempotently<StoredUpdate>(registry, caller, {
      content: [input.appId, input.condition ?? null, given],
      // Names are rows that updates of other apps lock too.
      groupKey: given.name === undefined ? input.appId : undefined,
      work: async (transaction) => {
        // In one round trip.
        const [found, changesToApproved, nextEventId] = await Promise.all([
          findAppForUpdate(transaction, { id: input.appId }),
          readChangesToApproved(transaction),
          readEventIds(transaction),
        ]);
        const app = requireOwned(found, input);
        // Suspended since the request was authenticated.
        requireNotSuspended(app);
        const { ifRevision, unlessRevision } = input;
        const change = { transaction, app, changesToApproved, nextEventId, given, ifRevision, unlessRevision };
        const changed = await changeAppContent(registry, caller, change);
        return updated(registry, changed.app);
      },
    });
    return tagged(registry, stored);
  } catch (error) {
    throw orNameTaken(error);
  }
}

/** Whether an update is valid and has no fields. */
export function isRead(update: unknown): boolean {
  // Nearly every update has a field: those are not validated here.
  return Object.values(update ?? {}).every(isEmpty) && check(AppUpdate, update) === null;
}

function isEmpty(group: unknown): boolean {
  return typeof group === 'object' && group !== null && Object.keys(group).length === 0;
}

function requireOwned(app: AppRow | null, { developerId }: UpdateAppInput): AppRow {
  if (app?.developer_id === developerId) return app;
  throw appNotFound();
}

function updated(registry: Registry, app: AppRow): StoredUpdate {
  return { app: developerView(registry, app), revision: app.revision, revisionNonce: app.revision_nonce };
}

function tagged(registry: Registry, { app, revision, revisionNonce }: StoredUpdate): UpdatedApp {
  return { app, revision, etag: revisionETag(registry, { revision, revision_nonce: revisionNonce }) };
}
