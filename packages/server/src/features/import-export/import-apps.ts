import type { AppRow } from '../../storage/tables.ts';
import { contentData } from '../apps/app-content.ts';
import { revisionData } from '../apps/app-event-data.ts';
import { listAppsForUpdate, listDeletedAppIds } from '../apps/app-queries.ts';
import { effectiveChange } from '../apps/effective-content.ts';
import type { Change } from '../events/append-event.ts';
import { enableInstallations } from '../installations/installation-changes.ts';
import { projectNew } from '../search/projections.ts';
import type { NumberedRecord } from './import-batch.ts';
import { byClaims, claimErrors, newClaimError } from './import-claims.ts';
import { developerReference } from './import-developers.ts';
import { countDraft, withoutSubmissions } from './import-drafts.ts';
import { resolveLogos } from './import-logos.ts';
import type { ImportError } from './import-record-schema.ts';
import { underSuspension } from './import-suspension.ts';
import { type ImportWork, insertRecords, type LineError, resolveReference } from './import-work.ts';
import { mergeApp, storeAppChange } from './merge-app.ts';

/** Stores apps. Existing ones are updated from their records. */
export async function storeApps(work: ImportWork, records: NumberedRecord<AppRow>[]): Promise<ImportError[]> {
  const given = withoutSubmissions(work, records);
  const { resolved, errors } = await resolveReference(work, given, developerReference<AppRow>());
  const { records: marked, errors: suspensionErrors } = await underSuspension(work, resolved);
  const { usable, errors: logoErrors } = await resolveLogos(work, marked);
  const { remaining, errors: deletedErrors } = await withoutDeleted(work, usable);

  const refused = await insertApps(work, remaining);
  const updated = await updateApps(work, refused);
  // A name that one record releases, another may take.
  const left = updated.missing.length > 0 ? await insertApps(work, updated.missing) : [];
  const nameErrors = await claimErrors(work, left);

  const valid = new Set(remaining.map(({ row }) => row.id));
  const broken = records.filter(({ row }) => !valid.has(row.id));
  for (const { row } of [...broken, ...left]) work.errors.addBroken(row.id);
  return [...errors, ...suspensionErrors, ...logoErrors, ...deletedErrors, ...updated.errors, ...nameErrors];
}

async function withoutDeleted({ transaction }: ImportWork, records: NumberedRecord<AppRow>[]) {
  const ids = records.map(({ row }) => row.id);
  const deleted = new Set(ids.length === 0 ? [] : await listDeletedAppIds(transaction, ids));
  const errors: ImportError[] = records
    .filter(({ row }) => deleted.has(row.id))
    .map(({ line, row }) => ({
      line,
      pointer: '/id',
      clashesWith: row.id,
      code: 'already_exists',
      detail:
        'The app with this id was deleted from the registry and is not purged yet. Restore it, or import the line after it is purged.',
    }));
  return { remaining: errors.length === 0 ? records : records.filter(({ row }) => !deleted.has(row.id)), errors };
}

/** Returns the records whose app or name already exists. */
async function insertApps(work: ImportWork, records: NumberedRecord<AppRow>[]): Promise<NumberedRecord<AppRow>[]> {
  const claiming = work.uniqueNames ? records.map(withClaim) : records;
  const { free, taken } = await byClaims(work, claiming);
  const { stored, refused } = await insertRecords(work, free, {
    table: 'apps',
    toChanges: ({ row }) => [{ ...appCreated(row), ...effectiveChange(null, { app: row, mode: work.mode }) }],
  });
  await projectNew(work.transaction, work.registry.storage.engine, { apps: stored.map(({ row }) => row) });
  work.summary.apps.created += stored.length;
  for (const record of stored) countDraft(work, record, record.row);
  return [...refused, ...taken];
}

function withClaim(record: NumberedRecord<AppRow>): NumberedRecord<AppRow> {
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
  records: NumberedRecord<AppRow>[],
): Promise<{ missing: NumberedRecord<AppRow>[]; errors: ImportError[] }> {
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

async function updateApp(work: ImportWork, before: AppRow, record: NumberedRecord<AppRow>): Promise<LineError | null> {
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
