import { appContentUpdateColumns, replaceApp, updateAppContent } from '../../storage/queries/apps.ts';
import { findChangesToApproved } from '../../storage/queries/settings.ts';
import type { Connection } from '../../storage/query.ts';
import type { AppRow, EventRow } from '../../storage/tables.ts';
import {
  appendEventRows,
  appendEventsOfOne,
  type Change,
  type ChangeContext,
  toEventRow,
} from '../events/append-event.ts';
import { type NextEventId, readEventIds } from '../events/event-ids.ts';
import { markChangedApp } from '../search/projections.ts';
import { type ChangesToApproved, effectiveChange } from './effective-content.ts';

/** The change of an app: its row before, and as `nextApp` makes it. */
export interface StoredChange {
  before: AppRow;
  after: AppRow;
  mode: ChangesToApproved;
  /** The same before the change, where that changes too. */
  modeBefore?: ChangesToApproved;
  /** The change to record. Null when only the effective content changes. */
  change: Change | null;
}

/** Stores a changed app with its events, and returns them, the event of the change first. */
export async function storeApp(
  transaction: Connection,
  context: ChangeContext,
  stored: StoredChange,
): Promise<EventRow[]> {
  const events = appEvents(context, stored, await readEventIds(transaction));
  await storeAppWith(transaction, { ...stored, caller: context.caller }, events);
  return events;
}

/** The same with events that are rows already. */
export async function storeAppWith(
  transaction: Connection,
  { caller, before, after }: Pick<StoredChange, 'before' | 'after'> & Pick<ChangeContext, 'caller'>,
  events: EventRow[],
): Promise<void> {
  const isContentOnly = Object.keys(after).every(
    (column) => appContentUpdateColumns.has(column) || Reflect.get(after, column) === Reflect.get(before, column),
  );
  const update = isContentOnly ? updateAppContent : replaceApp;
  // In one round trip.
  await Promise.all([
    update(transaction, after),
    markChangedApp(transaction, before, after),
    appendEventsOfOne(transaction, events, caller),
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
  const events = stored.flatMap((one) => appEvents(context, one, nextEventId));
  await Promise.all(
    stored.flatMap(({ before, after }) => [replaceApp(transaction, after), markChangedApp(transaction, before, after)]),
  );
  await appendEventRows(transaction, events, context.caller);
}

/** The event of a change, and the one that the effective content has changed with it. */
export function appEvents(
  context: ChangeContext,
  { before, after, mode, modeBefore = mode, change }: StoredChange,
  nextEventId: NextEventId,
): EventRow[] {
  const effective = effectiveChange({ app: before, mode: modeBefore }, { app: after, mode });
  const events = change ? [toEventRow({ ...context, ...change }, nextEventId)] : [];
  if (!effective) return events;
  const type = 'app.effective_changed';
  return [...events, toEventRow({ ...context, type, appId: after.id, subjectId: after.id, ...effective }, nextEventId)];
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
