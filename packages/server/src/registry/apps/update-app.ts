import type { DeveloperApp } from '../../contract/app.ts';
import { AppUpdate } from '../../contract/app-update.ts';
import { check } from '../../contract/check.ts';
import { findApp, findAppByNameClaim, findAppForUpdate } from '../../storage/queries/apps.ts';
import type { Connection } from '../../storage/query.ts';
import type { AppRow, EventRow } from '../../storage/tables.ts';
import { requireNotSuspended } from '../developers/suspended-developer.ts';
import { readEventIds } from '../events/event-ids.ts';
import { appNotFound, requireAppId, requireValid } from '../failure.ts';
import { writeIdempotently } from '../idempotency.ts';
import { readAhead } from '../read-ahead.ts';
import type { Caller, Registry } from '../registry.ts';
import { restoreTexts, storeTexts } from '../response-text.ts';
import { revisionETag } from '../revision.ts';
import {
  countStoredBytes,
  eventBytes,
  mayExceedStoredBytes,
  orBytesExceeded,
  requireStoredBytes,
} from '../stored-bytes.ts';
import { givenContent, nameTaken } from './app-content.ts';
import { developerView } from './app-view.ts';
import { type ChangedContent, changeAppContent, orNameTaken } from './change-app-content.ts';
import { type RevisionCondition, requireRevision } from './revision-condition.ts';
import { changesToApproved } from './store-app.ts';

export interface UpdateAppInput extends RevisionCondition {
  appId: string;
  /** The owner: another developer's app is not found (decision 25). */
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
  stamp: string;
}

interface AppUpdated extends StoredUpdate {
  /** None when nothing has changed. */
  events: EventRow[];
}

/**
 * Update App (interface 4.1): changes only the given fields and returns the app.
 * An update without fields is a read. Refuses with `invalid_content`, `app_not_found`,
 * `precondition_failed`, `app_under_review`, `name_taken` or `too_many_requests` (the developer's bytes of the day), in
 * this order, and then writes nothing; before
 * `app_not_found` it refuses a key with `request_in_progress` or `idempotency_key_reused`.
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
  await readAhead(registry, input.appId);
  try {
    const stored = await writeIdempotently<AppUpdated>(registry, caller, {
      content: [input.appId, input.condition ?? null, given],
      // Names and texts stored under a key are rows that updates of other apps lock too.
      groupKey: given.name === undefined && !caller.idempotency ? input.appId : undefined,
      work: async (transaction) => {
        // In one round trip.
        const [found, mode, nextEventId] = await Promise.all([
          findAppForUpdate(transaction, { id: input.appId }),
          changesToApproved(transaction),
          readEventIds(transaction),
        ]);
        const app = requireOwned(found, input);
        // Suspended since the request was authenticated.
        requireNotSuspended(app);
        const { ifRevision, unlessRevision } = input;
        const admit = (change: ChangedContent) => requireRoom(registry, transaction, change);
        const change = { transaction, app, mode, nextEventId, given, ifRevision, unlessRevision, admit };
        const changed = await changeAppContent(registry, caller, change);
        return { ...updated(registry, changed.app), events: changed.events };
      },
      form: {
        store: (transaction, { events: [event = null], ...response }) =>
          storeTexts(transaction, { response, event, at: registry.now() }),
        restore: async (transaction, text) => {
          const response = await restoreTexts<StoredUpdate>(transaction, text);
          return response && { ...response, events: [] };
        },
      },
      // Last, because only now the size is known; and it locks a row that all updates of a developer change.
      last: ({ events }, builder, keyBytes) =>
        countStoredBytes(registry, builder, {
          developerId: input.developerId,
          bytes: eventBytes(events) + keyBytes,
        }),
    });
    return tagged(registry, stored);
  } catch (error) {
    throw await orBytesExceeded(registry, orNameTaken(error), input.developerId);
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

/** Refuses a change that will be refused after it is written, which would cost other writes too. */
async function requireRoom(
  registry: Registry,
  transaction: Connection,
  { app, events }: ChangedContent,
): Promise<void> {
  const bytes = { developerId: app.developer_id, bytes: eventBytes(events) };
  if (!mayExceedStoredBytes(registry, bytes)) return;
  const holder = app.name_claim === null ? null : await findAppByNameClaim(transaction, { nameClaim: app.name_claim });
  if (holder && holder.app_id !== app.id) throw nameTaken();
  await requireStoredBytes(registry, transaction, bytes);
}

function updated(registry: Registry, app: AppRow): StoredUpdate {
  return { app: developerView(registry, app), revision: app.revision, stamp: app.revision_stamp };
}

function tagged(registry: Registry, { app, revision, stamp }: StoredUpdate): UpdatedApp {
  return { app, revision, etag: revisionETag(registry, { revision, revision_stamp: stamp }) };
}
