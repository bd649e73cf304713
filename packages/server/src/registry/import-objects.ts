import type { ImportFault } from '../contract/import-record.ts';
import type { Fault } from '../contract/problem.ts';
import { findApp, findAppByNameClaim, listAppIdsForUpdate, updateInstallationCounts } from '../storage/apps.ts';
import { listDeveloperIds } from '../storage/developers.ts';
import { findInstallation, findInstallationInWorkspace } from '../storage/installations.ts';
import type { AppRow, DeveloperRow, InstallationRow } from '../storage/tables.ts';
import { allContent, contentChange } from './app-content.ts';
import type { ImportBatch, Placed } from './import-batch.ts';
import {
  alreadyExists,
  explainRefused,
  type ImportWork,
  insertPlaced,
  type Reference,
  resolveReference,
} from './import-work.ts';

const appsUncountedMax = 10_000;

/** Stores what it can of a batch, with its events, and tells the faults of its lines. */
export async function storeBatch(work: ImportWork, batch: ImportBatch): Promise<void> {
  const faults = [...batch.faults];
  for (const id of batch.brokenIds) work.faults.addBroken(id);
  if (batch.developer.length > 0) faults.push(...(await storeDevelopers(work, batch.developer)));
  if (batch.app.length > 0) faults.push(...(await storeApps(work, batch.app)));
  if (batch.installation.length > 0) faults.push(...(await storeInstallations(work, batch.installation)));
  work.faults.add(faults);
}

async function storeDevelopers(work: ImportWork, placed: Placed<DeveloperRow>[]): Promise<ImportFault[]> {
  const { stored, refused } = await insertPlaced(work, placed, {
    table: 'developers',
    toChange: ({ user_id: userId }) => ({ type: 'developer.created', subjectId: userId, after: { userId } }),
  });
  work.summary.developers += stored.length;
  return explainRefused(work, refused, async () => [
    alreadyExists('/userId', 'A developer with this user id exists already, here or on an earlier line.'),
  ]);
}

const developerOfApp: Reference<AppRow> = {
  idOf: (row) => row.developer_id,
  list: listDeveloperIds,
  fault: {
    pointer: '/developerId',
    code: 'not_found',
    detail: 'No developer has this user id, neither here nor on an earlier line.',
  },
};

async function storeApps(work: ImportWork, placed: Placed<AppRow>[]): Promise<ImportFault[]> {
  const { whole, dangling, faults } = await resolveReference(work, placed, developerOfApp);
  const { stored, refused } = await insertPlaced(work, whole, {
    table: 'apps',
    toChange: (row) => ({
      type: 'app.created',
      appId: row.id,
      subjectId: row.id,
      after: {
        developerId: row.developer_id,
        reviewStatus: row.review_status,
        ...(row.rejection_reason !== null && { reason: row.rejection_reason }),
        ...contentChange(row, allContent),
      },
    }),
  });
  work.summary.apps += stored.length;
  for (const { row } of [...dangling, ...refused]) work.faults.addBroken(row.id);
  return [...faults, ...(await explainRefused(work, refused, (row) => appExists(work, row)))];
}

async function appExists({ transaction }: ImportWork, row: AppRow): Promise<Fault[]> {
  const faults: Fault[] = [];
  if (await findApp(transaction, { id: row.id })) {
    faults.push(alreadyExists('/id', 'An app with this id exists already, here or on an earlier line.'));
  }
  const namesake =
    row.name_claim === null ? null : await findAppByNameClaim(transaction, { nameClaim: row.name_claim });
  if (namesake && namesake.id !== row.id) {
    faults.push(alreadyExists('/name', 'Another app has this name, here or on an earlier line.'));
  }
  return faults;
}

const appOfInstallation: Reference<InstallationRow> = {
  idOf: (row) => row.app_id,
  list: listAppIdsForUpdate,
  fault: {
    pointer: '/appId',
    code: 'not_found',
    detail: 'No app has this id, neither here nor on an earlier line.',
  },
};

async function storeInstallations(work: ImportWork, placed: Placed<InstallationRow>[]): Promise<ImportFault[]> {
  const { whole, faults } = await resolveReference(work, placed, appOfInstallation);
  const { stored, refused } = await insertPlaced(work, whole, {
    table: 'installations',
    toChange: ({ id, app_id: appId, workspace_id: workspaceId, user_id: userId, enabled }) => ({
      type: 'installation.created',
      appId,
      subjectId: id,
      after: { workspaceId, userId, enabled: enabled === 1 },
    }),
  });
  work.summary.installations += stored.length;
  for (const { row } of stored) work.uncounted.set(row.app_id, (work.uncounted.get(row.app_id) ?? 0) + 1);
  if (work.uncounted.size > appsUncountedMax) await countInstallations(work);
  return [...faults, ...(await explainRefused(work, refused, (row) => installationExists(work, row)))];
}

async function installationExists({ transaction }: ImportWork, row: InstallationRow): Promise<Fault[]> {
  const faults: Fault[] = [];
  if (await findInstallation(transaction, { id: row.id })) {
    faults.push(alreadyExists('/id', 'An installation with this id exists already, here or on an earlier line.'));
  }
  const other = await findInstallationInWorkspace(transaction, { appId: row.app_id, workspaceId: row.workspace_id });
  if (other && other.id !== row.id) {
    const detail = 'The app is installed in this workspace already, here or on an earlier line.';
    faults.push(alreadyExists('/workspaceId', detail));
  }
  return faults;
}

/** Counts the installations into their apps: one statement for all apps that got as many. */
export async function countInstallations({ transaction, uncounted }: ImportWork): Promise<void> {
  const idsByCount = Map.groupBy(uncounted.keys(), (id) => uncounted.get(id) as number);
  for (const [by, ids] of idsByCount) await updateInstallationCounts(transaction, { ids, by });
  uncounted.clear();
}
