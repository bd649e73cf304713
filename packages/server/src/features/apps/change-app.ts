import { throwIfInvalid } from '../../kernel/check.ts';
import { appNotFound, Failure } from '../../kernel/failure.ts';
import { requireAppId } from '../../kernel/ids.ts';
import type { Caller, Registry } from '../../kernel/registry.ts';
import { type RevisionCondition, requireRevision } from '../../kernel/revision.ts';
import { dateTime, optional } from '../../kernel/text.ts';
import { markForProjection } from '../../storage/kernel-queries.ts';
import type { Connection } from '../../storage/query.ts';
import { NotUnique } from '../../storage/storage-failure.ts';
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
import { findLogoOfDeveloper } from '../logos/logo-queries.ts';
import { findChangesToApproved } from '../settings/setting-queries.ts';
import type { SettingValues } from '../settings/settings.ts';
import { appContentFields, approvedContent, changedContentColumns, contentData } from './app-content.ts';
import {
  appContentUpdateColumns,
  claimNames,
  findAppForUpdate,
  listSharedNames,
  releaseNames,
  replaceApp,
  updateAppContent,
} from './app-queries.ts';
import { submittedAt } from './app-view.ts';
import { textsToCompare } from './comparison/comparison-keys.ts';
import { type ChangesToApproved, effectiveChange, nextApp, nextCleared } from './next-app.ts';

interface ContentChange extends RevisionCondition {
  transaction: Connection;
  /** Locked by the transaction, and authorised for the caller. */
  app: AppRow;
  /** Both read after the lock. */
  changesToApproved: ChangesToApproved;
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
  { transaction, app, changesToApproved, nextEventId, given, revert, ...condition }: ContentChange,
): Promise<ChangedContent> {
  // An app keeps a logo that was blocked since it was set.
  if (given.logo_id !== app.logo_id) await requireOwnLogo(transaction, given.logo_id, app.developer_id);
  requireRevision(registry, app, condition);

  const changed = changedContentColumns(app, { ...app, ...given });
  const isRevert = revert !== undefined;
  // The same content, but an address in it has no effect until it is approved or brought back.
  const isEffective = isRevert && nextCleared(app, app, { isRevert }) !== app.cleared_since_approval;
  const isRestored = changed.length === 0 && isEffective;
  if (changed.length === 0 && !isRestored) return { app, event: null };
  if (app.review_status === 'AWAITING_REVIEW') {
    throw new Failure(
      'app_under_review',
      'The app awaits review and cannot change until a decision. Wait for the decision, or have the submission withdrawn.',
    );
  }

  const at = registry.now();
  const after = nextApp(app, isRestored ? { revision: app.revision + 1 } : given, { at, changesToApproved, isRevert });
  const change = {
    type: 'app.updated',
    appId: app.id,
    subjectId: app.id,
    ...contentUpdated(app, after, changed),
    ...(revert && { restoredRevision: revert.toRevision }),
  } as const;
  const event = appEvent({ caller, at }, { before: app, after, changesToApproved, change }, nextEventId);
  await storeAppWith(transaction, { caller, before: app, after }, event);
  return { app: after, event };
}

/** Refuses a logo that does not exist, belongs to another developer or is blocked. */
export async function requireOwnLogo(
  transaction: Connection,
  logoId: string | null | undefined,
  developerId: string,
): Promise<void> {
  if (!logoId) return;
  const logo = await findLogoOfDeveloper(transaction, { id: logoId, developerId });
  if (logo?.blocked_at === null) return;
  const detail = logo
    ? logoBlocked
    : 'No logo of this developer has this id. Upload the logo first, and send the id that the upload returns.';
  throwIfInvalid([{ pointer: '/logoId', code: 'unusable_logo', detail }]);
}

const logoBlocked = 'An operator has blocked this logo. Upload another one, and send the id that the upload returns.';

function nameTaken(): Failure {
  return new Failure('name_taken', 'Another app has this name. Choose a different one.');
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

/** The change of an app: its row before, and as `nextApp` makes it. */
export interface StoredChange {
  before: AppRow;
  after: AppRow;
  changesToApproved: ChangesToApproved;
  /** The same before the change, where that changes too. */
  changesToApprovedBefore?: ChangesToApproved;
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
async function storeAppWith(
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

/** The texts of an app that its projections are made from. */
const textColumns = [
  ...appContentFields
    .filter((field) => field.searchedAs !== null || field.comparedAs !== null)
    .map(({ column }) => column),
  'name_key',
  'approved_name_key',
] as const satisfies (keyof AppRow)[];

/** What decides which of them are approved. */
const reviewColumns = [
  'approved_content',
  'cleared_since_approval',
  'review_status',
] as const satisfies (keyof AppRow)[];

/** Inside the write that changes an app: marks it, unless its projections stay as they are. */
async function markChangedApp(transaction: Connection, before: AppRow, after: AppRow): Promise<void> {
  const isChanged = (column: keyof AppRow) => after[column] !== before[column];
  // Most steps of review change no text, and a developer may have thousands of apps that are suspended.
  const isReviewed = reviewColumns.some(isChanged) && comparedTexts(after) !== comparedTexts(before);
  if (isReviewed || textColumns.some(isChanged)) await markForProjection(transaction, { subjectId: after.id });
}

function comparedTexts(app: AppRow): string {
  return JSON.stringify(textsToCompare(app).map(({ source, field, text }) => [source, field.column, text]));
}

/** The event of a change, with how the effective content changed. Null if there is nothing to report. */
function appEvent(
  context: ChangeContext,
  { before, after, changesToApproved, changesToApprovedBefore = changesToApproved, change }: StoredChange,
  nextEventId: NextEventId,
): EventRow | null {
  const effective = effectiveChange(
    { app: before, changesToApproved: changesToApprovedBefore },
    { app: after, changesToApproved },
  );
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
export async function readChangesToApproved(transaction: Connection): Promise<ChangesToApproved> {
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
function contentUpdated(
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
