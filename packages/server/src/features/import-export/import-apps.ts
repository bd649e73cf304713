import type { Registry } from '../../kernel/registry.ts';
import { newRevisionNonce } from '../../kernel/revision.ts';
import type { Connection } from '../../storage/query.ts';
import type { AppRow } from '../../storage/tables.ts';
import {
  approvedContent,
  changedContentColumns,
  contentData,
  contentIn,
  readableApprovedContent,
} from '../apps/app-content.ts';
import { listAppsForUpdate, listDeletedAppIds, listNameClaims } from '../apps/app-queries.ts';
import { appUpdated, revisionData, storeApp } from '../apps/change-app.ts';
import { projectNew } from '../apps/comparison/projections.ts';
import {
  awaitsDecisions,
  type ChangesToApproved,
  derivedColumns,
  effectiveChange,
  nextApp,
  nextPlatformRevision,
  undecidedColumns,
} from '../apps/next-app.ts';
import { listSuspendedDevelopers } from '../developers/developer-queries.ts';
import type { Change } from '../events/append-event.ts';
import { enableInstallations } from '../installations/installation-changes.ts';
import { developerReference } from './import-developers.ts';
import { resolveLogos } from './import-logos.ts';
import type { ImportedApp } from './import-record.ts';
import type { ImportError } from './import-record-schema.ts';
import { differingColumns, type ImportWork, insertRecords, type LineError, resolveReference } from './import-work.ts';

/** Stores apps. Existing ones are updated from their records. */
export async function storeApps(work: ImportWork, records: ImportedApp[]): Promise<ImportError[]> {
  const { usable, errors } = await resolveReferences(work, records);
  const deleted = { list: listDeletedAppIds, error: deletedHere };
  const { remaining, errors: deletedErrors } = await withoutApps(work, usable, deleted);

  const refused = await insertApps(work, remaining);
  const updated = await updateApps(work, refused);
  // A name that one record releases, another may take.
  const left = updated.missing.length > 0 ? await insertApps(work, updated.missing) : [];
  const nameErrors = await claimErrors(work, left);

  const valid = new Set(remaining.map(({ row }) => row.id));
  const broken = records.filter(({ row }) => !valid.has(row.id));
  for (const { row } of [...broken, ...left]) work.objects.markRefused(row.id);
  return [...errors, ...deletedErrors, ...updated.errors, ...nameErrors];
}

/** The records whose developer is stored and whose logos can be set, as they are imported; and the errors of the others. */
export async function resolveReferences<Item extends ImportedApp>(
  work: ImportWork,
  records: Item[],
): Promise<{ usable: Item[]; errors: ImportError[] }> {
  const given = withoutSubmissions(work, records);
  const { resolved, errors } = await resolveReference(work, given, developerReference<AppRow>());
  const { records: marked, errors: suspensionErrors } = await underSuspension(work, resolved);
  const { usable, errors: logoErrors } = await resolveLogos(work, marked);
  return { usable, errors: [...errors, ...suspensionErrors, ...logoErrors] };
}

const deletedHere: LineError = {
  pointer: '/id',
  code: 'already_exists',
  detail:
    'The app with this id was deleted from the registry and is not purged yet. Restore it, or import the line after it is purged.',
};

/** The records whose app is not among these, and the errors of the others. */
export async function withoutApps<Item extends ImportedApp>(
  { transaction }: ImportWork,
  records: Item[],
  { list, error }: { list: (transaction: Connection, ids: string[]) => Promise<string[]>; error: LineError },
): Promise<{ remaining: Item[]; errors: ImportError[] }> {
  const ids = records.map(({ row }) => row.id);
  const found = new Set(ids.length === 0 ? [] : await list(transaction, ids));
  return {
    remaining: records.filter(({ row }) => !found.has(row.id)),
    errors: records
      .filter(({ row }) => found.has(row.id))
      .map(({ line, row }) => ({ line, ...error, clashesWith: row.id })),
  };
}

/** Returns the records whose app or name already exists. */
async function insertApps(work: ImportWork, records: ImportedApp[]): Promise<ImportedApp[]> {
  const claiming = work.uniqueNames ? records.map(withClaim) : records;
  const { free, taken } = await byClaims(work, claiming);
  const { stored, refused } = await insertRecords(work, free, {
    table: 'apps',
    toChanges: ({ row }) => {
      const { changesToApproved } = work;
      return [{ ...appCreated(row), ...effectiveChange(null, { app: row, changesToApproved }) }];
    },
  });
  await projectNew(work.transaction, work.registry.storage.engine, { apps: stored.map(({ row }) => row) });
  work.summary.apps.created += stored.length;
  for (const record of stored) countDraft(work, record, record.row);
  return [...refused, ...taken];
}

function withClaim(record: ImportedApp): ImportedApp {
  return { ...record, row: { ...record.row, name_claim: record.row.name_key } };
}

/** The event of an app that an import created. */
export function appCreated(row: AppRow): Change {
  return {
    type: 'app.created',
    appId: row.id,
    subjectId: row.id,
    after: {
      developerId: row.developer_id,
      reviewStatus: row.review_status,
      ...(row.rejection_reason !== null && { reason: row.rejection_reason }),
      ...revisionData(row),
      ...contentData(row),
    },
  };
}

async function updateApps(
  work: ImportWork,
  records: ImportedApp[],
): Promise<{ missing: ImportedApp[]; errors: ImportError[] }> {
  const ids = records.map(({ row }) => row.id);
  const stored = ids.length === 0 ? [] : await listAppsForUpdate(work.transaction, ids);
  const byId = new Map(stored.map((row) => [row.id, row]));
  const errors: ImportError[] = [];
  for (const record of records) {
    const before = byId.get(record.row.id);
    const error = before && (await updateApp(work, before, record));
    if (error) errors.push({ line: record.line, ...error });
  }
  return { missing: records.filter(({ row }) => !byId.has(row.id)), errors };
}

async function updateApp(work: ImportWork, before: AppRow, record: ImportedApp): Promise<LineError | null> {
  if (before.developer_id !== record.row.developer_id) return { ...anotherDeveloper, clashesWith: before.id };
  const after = mergeApp(work, before, record);
  countDraft(work, record, after);
  if (after === before) {
    work.summary.apps.unchanged += 1;
    return null;
  }
  const claimError = await newClaimError(work, before, after);
  if (claimError) return claimError;
  work.summary.apps.updated += 1;
  await storeAppChange(work, before, after);
  if (before.review_status !== 'APPROVED' && after.review_status === 'APPROVED') {
    const { transaction, caller, registry } = work;
    await enableInstallations(transaction, { caller, at: registry.now(), appId: after.id });
  }
  return null;
}

const anotherDeveloper: LineError = {
  pointer: '/developerId',
  code: 'not_allowed',
  detail:
    'The app with this id belongs to another developer, in the registry or on an earlier line. Transfer it first.',
};

type Claims = Pick<AppRow, 'id' | 'name_claim' | 'approved_name_key'>;

/**
 * Partitions the records of new apps by whether another app claims one of their names, here or earlier in the batch. The
 * database refuses those only for the whole transaction.
 */
async function byClaims(
  work: ImportWork,
  records: ImportedApp[],
): Promise<{ free: ImportedApp[]; taken: ImportedApp[] }> {
  const holders = await listHolders(
    work,
    records.map(({ row }) => row),
  );
  const [free, taken]: [ImportedApp[], ImportedApp[]] = [[], []];
  for (const record of records) {
    const { row } = record;
    const isTaken = nameClaims(row).some(({ key }) => (holders.get(key) ?? row.id) !== row.id);
    (isTaken ? taken : free).push(record);
    if (!isTaken) for (const { key } of nameClaims(row)) holders.set(key, row.id);
  }
  return { free, taken };
}

/** The errors of records that could not be stored because of their names. */
async function claimErrors(work: ImportWork, records: ImportedApp[]): Promise<ImportError[]> {
  const claiming = records.map(withClaim);
  const holders = await listHolders(
    work,
    claiming.map(({ row }) => row),
  );
  return claiming.map(({ line, row }) => ({ line, ...(takenBy(row, holders) ?? nameTaken('/name', undefined)) }));
}

/** The error of an update that claims a name of another app; null if it does not. */
async function newClaimError(work: ImportWork, before: AppRow, after: AppRow): Promise<LineError | null> {
  const { name_claim, approved_name_key } = after;
  if (name_claim === before.name_claim && approved_name_key === before.approved_name_key) return null;
  return takenBy(after, await listHolders(work, [after]));
}

function takenBy(app: Claims, holders: Map<string, string>): LineError | null {
  const taken = nameClaims(app).find(({ key }) => (holders.get(key) ?? app.id) !== app.id);
  return taken ? nameTaken(taken.pointer, holders.get(taken.key)) : null;
}

/** By claimed name: the app that claims it. */
async function listHolders({ transaction }: ImportWork, apps: Claims[]): Promise<Map<string, string>> {
  const keys = [...new Set(apps.flatMap((app) => nameClaims(app).map(({ key }) => key)))];
  if (keys.length === 0) return new Map();
  const claims = await listNameClaims(transaction, keys);
  return new Map(claims.map(({ name_key: key, app_id: id }) => [key, id]));
}

/** An app claims its current and its approved name, unless names need not be unique. */
function nameClaims({ name_claim: current, approved_name_key: approved }: Claims): { key: string; pointer: string }[] {
  if (current === null) return [];
  const claims = [{ key: current, pointer: '/name' }];
  return approved === null ? claims : [...claims, { key: approved, pointer: '/approved/name' }];
}

function nameTaken(pointer: string, holder: string | undefined): LineError {
  const detail = 'Another app has this name, in the registry or on an earlier line.';
  return { pointer, code: 'already_exists', detail, ...(holder !== undefined && { clashesWith: holder }) };
}

/**
 * An existing app updated from a record; the same row when nothing changes. A record has all of the content. Revisions
 * and `updatedAt` never decrease, so that no old ETag becomes valid again.
 */
export function mergeApp(
  { registry, changesToApproved }: { registry: Registry; changesToApproved: ChangesToApproved },
  before: AppRow,
  record: ImportedApp,
): AppRow {
  const { row, absentColumns } = unlessSubmitted(before, record);
  const changed = changedContentColumns(before, row);
  const revision = Math.max(changed.length === 0 ? before.revision : before.revision + 1, row.revision);
  const after: AppRow = { ...before, ...contentIn(row), revision, created_at: row.created_at };
  const explicit: Partial<AppRow> = {};
  if (!absentColumns.includes('review_status')) {
    Object.assign(after, mergedReview(before, after, row));
    for (const column of ['cleared_since_approval', 'change_since', 'transfer_since'] as const) {
      if (!absentColumns.includes(column)) Object.assign(explicit, { [column]: row[column] });
    }
  }
  const isChanged = changed.length > 0 || after.review_status !== before.review_status;
  const at = absentColumns.includes('updated_at') ? (isChanged ? registry.now() : 0) : row.updated_at;
  after.updated_at = Math.max(before.updated_at, after.created_at, at);
  if (!absentColumns.includes('submitted_at')) after.submitted_at = row.submitted_at;
  else if (isSubmitted(before, after)) after.submitted_at = after.updated_at;

  if (explicit.change_since === undefined && isNewChange(before, after)) explicit.change_since = after.updated_at;
  Object.assign(after, explicit);
  const differing = differingColumns(before, after);
  if (differing.length === 0) return before;
  const given = { ...Object.fromEntries(differing.map((column) => [column, after[column]])), ...explicit };
  const { updated_at: updatedAt } = after;
  const merged = nextApp(before, { ...given, updated_at: updatedAt }, { at: updatedAt, changesToApproved });
  // The time of creation is in the view too.
  return { ...merged, ...nextPlatformRevision(before) };
}

/** Whether other content is approved than the current one, and was not before. */
function isNewChange(before: AppRow, after: AppRow): boolean {
  return awaitsDecisions(after) && undecidedColumns(after).length > 0 && undecidedColumns(before).length === 0;
}

function isSubmitted(before: AppRow, after: AppRow): boolean {
  return before.review_status !== 'AWAITING_REVIEW' && after.review_status === 'AWAITING_REVIEW';
}

function mergedReview(before: AppRow, after: AppRow, row: AppRow): Partial<AppRow> {
  const { review_status, rejection_reason, suspended_status } = row;
  const review = { review_status, rejection_reason, suspended_status };
  const approved = approvedContent(row);
  // A damaged snapshot is replaced, so that an import can repair it.
  const approvedBefore = readableApprovedContent(before);
  // An approval is never removed.
  if (!approved) return review;
  if (approvedBefore && changedContentColumns(approvedBefore, approved).length === 0) {
    const isOfNewest = row.approved_revision === row.revision;
    return isOfNewest ? { ...review, approved_revision: after.revision } : review;
  }
  const isCurrent = changedContentColumns(approved, after).length === 0;
  return {
    ...review,
    approved_content: row.approved_content,
    // Content that differs from the current one had an earlier revision, in the file and hence here.
    approved_revision: isCurrent ? after.revision : row.approved_revision,
    approved_revision_nonce: newRevisionNonce(),
  };
}

/** Stores an updated app with its event. */
async function storeAppChange(
  { registry, caller, transaction, changesToApproved }: ImportWork,
  before: AppRow,
  after: AppRow,
): Promise<void> {
  const data = appUpdated(before, after);
  const change = { type: 'app.updated', appId: after.id, subjectId: after.id, ...data } as const;
  await storeApp(transaction, { caller, at: registry.now() }, { before, after, changesToApproved, change });
}

/**
 * Imports the apps of suspended developers as suspended, so that no file, not even an earlier one,
 * circumvents a suspension. An app of any other developer must not be marked as suspended.
 */
async function underSuspension<Item extends ImportedApp>(
  { transaction }: ImportWork,
  records: Item[],
): Promise<{ records: Item[]; errors: ImportError[] }> {
  const ids = [...new Set(records.map(({ row }) => row.developer_id))];
  const developers = ids.length === 0 ? [] : await listSuspendedDevelopers(transaction, ids);
  const reasons = new Map(developers.map((developer) => [developer.user_id, developer.suspension_reason]));
  const isValid = ({ row }: Item) => row.suspended_status === null || reasons.has(row.developer_id);
  return {
    records: records.filter(isValid).map((record) => {
      const reason = reasons.get(record.row.developer_id);
      return reason === undefined ? record : { ...record, row: suspended(record.row, reason) };
    }),
    errors: records.filter((record) => !isValid(record)).map(({ line }) => ({ line, ...notSuspended })),
  };
}

/** As the suspension of its developer would leave it. */
function suspended(row: AppRow, reason: string | null): AppRow {
  if (row.suspended_status !== null) return row;
  const { review_status: status } = row;
  const marked: AppRow = { ...row, suspended_status: status };
  if (status === 'APPROVED') Object.assign(marked, { review_status: 'REJECTED', rejection_reason: reason });
  return { ...marked, ...derivedColumns(marked) };
}

const notSuspended: LineError = {
  pointer: '/suspendedStatus',
  code: 'not_allowed',
  detail:
    'The developer of the app is not suspended, in the registry or on an earlier line. Omit the field, and put the current status in reviewStatus.',
};

/** With `pendingAs`, no record submits its app: those that await review in the file are drafts. */
function withoutSubmissions<Item extends ImportedApp>({ pendingAs }: ImportWork, records: Item[]): Item[] {
  if (pendingAs === undefined) return records;
  return records.map((record) => {
    if (record.row.review_status !== 'AWAITING_REVIEW') return record;
    const { row } = record;
    const suspendedStatus = row.suspended_status === null ? null : pendingAs;
    const draft: AppRow = { ...row, review_status: pendingAs, suspended_status: suspendedStatus, submitted_at: 0 };
    return { ...record, row: { ...draft, ...derivedColumns(draft) }, isSubmissionOmitted: true };
  });
}

/** An app that awaits review here stays in the queue: its submission is older than the import. */
function unlessSubmitted(before: AppRow, record: ImportedApp): ImportedApp {
  if (!record.isSubmissionOmitted || before.review_status !== 'AWAITING_REVIEW') return record;
  return { ...record, absentColumns: [...record.absentColumns, 'review_status', 'submitted_at'] };
}

/** Counts a record that awaits review in the file and is a draft here. */
export function countDraft({ summary }: ImportWork, record: ImportedApp, after: AppRow): void {
  if (summary.pendingAsDraft === undefined || !record.isSubmissionOmitted) return;
  if (after.review_status === 'DRAFT') summary.pendingAsDraft += 1;
}
