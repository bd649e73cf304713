import { appNotFound, requireAppId } from '../../kernel/failure.ts';
import { dateTime } from '../../kernel/time.ts';
import type { Connection } from '../../storage/query.ts';
import type { AppContent, AppRow, EventRow } from '../../storage/tables.ts';
import {
  appendEventRow,
  appendEventRows,
  type Change,
  type ChangeContext,
  type NextEventId,
  readEventIds,
  toEventRow,
} from '../events/append-event.ts';
import type { EventData } from '../events/event.ts';
import { markChangedApp } from '../search/projections.ts';
import { findChangesToApproved } from '../settings/setting-queries.ts';
import { approvedContent, changedContentColumns, contentData } from './app-content.ts';
import { appContentFields } from './app-content-fields.ts';
import { appContentUpdateColumns, findAppForUpdate, replaceApp, updateAppContent } from './app-queries.ts';
import { optional, submittedAt } from './app-view.ts';
import { type ChangesToApproved, effectiveChange } from './next-app.ts';

/** The change of an app: its row before, and as `nextApp` makes it. */
export interface StoredChange {
  before: AppRow;
  after: AppRow;
  mode: ChangesToApproved;
  /** The same before the change, where that changes too. */
  modeBefore?: ChangesToApproved;
  /** The change to report. Null if the change is that of a setting, which may alter the effective content. */
  change: Change | null;
}

/** Reads an app and locks it until the transaction ends. Refuses with `app_not_found`. */
export async function lockApp(transaction: Connection, id: string): Promise<AppRow> {
  requireAppId(id);
  const app = await findAppForUpdate(transaction, { id });
  if (!app) throw appNotFound();
  return app;
}

/** Stores a changed app with its event, and returns the event. */
export async function storeApp(
  transaction: Connection,
  context: ChangeContext,
  stored: StoredChange,
): Promise<EventRow | null> {
  const event = appEvent(context, stored, await readEventIds(transaction));
  await storeAppWith(transaction, { ...stored, caller: context.caller }, event);
  return event;
}

/** The same with an event that is a row already. */
export async function storeAppWith(
  transaction: Connection,
  { caller, before, after }: Pick<StoredChange, 'before' | 'after'> & Pick<ChangeContext, 'caller'>,
  event: EventRow | null,
): Promise<void> {
  const isContentOnly = Object.keys(after).every(
    (column) => appContentUpdateColumns.has(column) || Reflect.get(after, column) === Reflect.get(before, column),
  );
  const update = isContentOnly ? updateAppContent : replaceApp;
  // In one round trip.
  await Promise.all([
    update(transaction, after),
    markChangedApp(transaction, before, after),
    event && appendEventRow(transaction, event, caller),
  ]);
}

/** Stores several changed apps with their events. */
export async function storeApps(
  transaction: Connection,
  context: ChangeContext,
  stored: StoredChange[],
): Promise<void> {
  if (stored.length === 0) return;
  const nextEventId = await readEventIds(transaction);
  const events = stored.flatMap((one) => appEvent(context, one, nextEventId) ?? []);
  await Promise.all(
    stored.flatMap(({ before, after }) => [replaceApp(transaction, after), markChangedApp(transaction, before, after)]),
  );
  await appendEventRows(transaction, events, context.caller);
}

/** The event of a change, with how the effective content changed. Null if there is nothing to report. */
export function appEvent(
  context: ChangeContext,
  { before, after, mode, modeBefore = mode, change }: StoredChange,
  nextEventId: NextEventId,
): EventRow | null {
  const effective = effectiveChange({ app: before, mode: modeBefore }, { app: after, mode });
  if (!change && effective.effective === undefined) return null;
  return toEventRow({ ...context, ...(change ?? contentUnchanged(after)), ...effective }, nextEventId);
}

function contentUnchanged({ id }: AppRow): Change {
  return { type: 'app.updated', appId: id, subjectId: id, before: {}, after: {} };
}

/**
 * Inside a write that has locked its apps: the setting for changes to approved content. It stays the same until the
 * write ends, because a change of the setting locks all apps.
 */
export async function changesToApproved(transaction: Connection): Promise<ChangesToApproved> {
  const settings = await findChangesToApproved(transaction, {});
  if (!settings) throw new Error('the database has no settings');
  return settings.changes_to_approved;
}

/** An app as the events of its deletion and restoration report it. */
export function appEventData(app: AppRow): EventData['app.restored']['after'] {
  return {
    developerId: app.developer_id,
    reviewStatus: app.review_status,
    revision: app.revision,
    ...contentData(app),
  };
}

/** The revision that a content change made, as its event records it. The history is read from these events. */
export function revisionData(app: Pick<AppRow, 'revision' | 'revision_nonce'>): {
  revision: number;
  revisionNonce: string;
} {
  return { revision: app.revision, revisionNonce: app.revision_nonce };
}

/** The data of an event about a change of these columns. */
export function contentUpdated(
  before: AppRow,
  after: AppRow,
  changed: readonly (keyof AppContent)[],
): EventData['app.updated'] {
  return {
    before: contentData(before, changed),
    after: { ...contentData(after, changed), ...revisionData(after) },
    ...changedSinceApproval(after),
  };
}

/** The data of an event about an app that an import changed, in any of its columns. */
export function appUpdated(before: AppRow, after: AppRow): EventData['app.updated'] {
  const changed = changedContentColumns(before, after);
  const dataOf = (row: AppRow) => ({
    ...contentData(row, changed),
    ...(after.review_status !== before.review_status && { reviewStatus: row.review_status }),
    ...(submittedAt(after) !== submittedAt(before) && optional({ submittedAt: submittedAt(row) })),
    ...(after.rejection_reason !== before.rejection_reason && { reason: row.rejection_reason }),
    ...((after.approved_content !== before.approved_content ||
      after.approved_revision !== before.approved_revision) && {
      approvedRevision: row.approved_revision,
    }),
    ...(after.created_at !== before.created_at && { createdAt: dateTime(row.created_at) }),
    ...(after.updated_at !== before.updated_at && { updatedAt: dateTime(row.updated_at) }),
  });
  // An import may skip numbers.
  const isRevised = after.revision !== before.revision;
  return {
    before: { ...dataOf(before), ...(isRevised && { revision: before.revision }) },
    after: { ...dataOf(after), ...(isRevised && revisionData(after)) },
    ...changedSinceApproval(after),
  };
}

/** Stored with the event, so that it is the same whenever the event is read or delivered. */
function changedSinceApproval(app: AppRow): Pick<EventData['app.updated'], 'changedSinceApproval'> {
  const approved = approvedContent(app);
  if (!approved) return {};
  const changed = appContentFields.filter(({ column }) => app[column] !== approved[column]);
  return { changedSinceApproval: changed.map(({ path }) => path) };
}
