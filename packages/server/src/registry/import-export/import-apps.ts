import type { ImportError } from '../../contract/import-record.ts';
import { findAppByNameClaim, listAppsForUpdate, listDeletedAppIds } from '../../storage/queries/apps.ts';
import type { AppRow } from '../../storage/tables.ts';
import { contentData } from '../apps/app-content.ts';
import type { Change } from '../events/append-event.ts';
import { enableInstallations } from '../installations/revoked-installations.ts';
import type { Placed } from './import-batch.ts';
import { developerReference } from './import-developers.ts';
import { resolveLogos } from './import-logos.ts';
import { type ImportWork, insertPlaced, type LineError, resolveReference } from './import-work.ts';
import { mergeApp, storeAppChange } from './merge-app.ts';

/** Stores apps. Those that exist already become what their lines tell. */
export async function storeApps(work: ImportWork, placed: Placed<AppRow>[]): Promise<ImportError[]> {
  const { whole, faults } = await resolveReference(work, placed, developerReference<AppRow>());
  const { usable, faults: logoFaults } = await resolveLogos(work, whole);
  const { kept, faults: deletedFaults } = await withoutDeleted(work, usable);

  const refused = await insertApps(work, kept);
  const updated = await updateApps(work, refused);
  // A name that one line gives up, another may take.
  const left = updated.missing.length > 0 ? await insertApps(work, updated.missing) : [];
  const nameFaults = left.map(({ line }) => ({ line, ...nameTaken }));

  const good = new Set(kept);
  const broken = placed.filter((line) => !good.has(line));
  for (const { row } of [...broken, ...left]) work.faults.addBroken(row.id);
  return [...faults, ...logoFaults, ...deletedFaults, ...updated.faults, ...nameFaults];
}

const nameTaken: LineError = {
  pointer: '/name',
  code: 'already_exists',
  detail: 'Another app has this name, here or on an earlier line.',
};

async function withoutDeleted({ transaction }: ImportWork, placed: Placed<AppRow>[]) {
  const ids = placed.map(({ row }) => row.id);
  const deleted = new Set(ids.length === 0 ? [] : await listDeletedAppIds(transaction, ids));
  const faults: ImportError[] = placed
    .filter(({ row }) => deleted.has(row.id))
    .map(({ line }) => ({
      line,
      pointer: '/id',
      code: 'already_exists',
      detail: 'The app with this id was deleted here and can still be restored. Restore it first.',
    }));
  return { kept: faults.length === 0 ? placed : placed.filter(({ row }) => !deleted.has(row.id)), faults };
}

/** Answers the lines whose app, or whose name, is there already. */
async function insertApps(work: ImportWork, placed: Placed<AppRow>[]): Promise<Placed<AppRow>[]> {
  const { stored, refused } = await insertPlaced(work, placed, {
    table: 'apps',
    toChange: ({ row }) => appCreated(row),
  });
  work.summary.apps.created += stored.length;
  return refused;
}

/** What the event tells of an app that an import has created. */
export function appCreated(row: AppRow): Change {
  return {
    type: 'app.created',
    appId: row.id,
    subjectId: row.id,
    after: {
      developerId: row.developer_id,
      reviewStatus: row.review_status,
      ...(row.rejection_reason !== null && { reason: row.rejection_reason }),
      ...contentData(row),
    },
  };
}

async function updateApps(
  work: ImportWork,
  placed: Placed<AppRow>[],
): Promise<{ missing: Placed<AppRow>[]; faults: ImportError[] }> {
  const ids = placed.map(({ row }) => row.id);
  const stored = ids.length === 0 ? [] : await listAppsForUpdate(work.transaction, ids);
  const byId = new Map(stored.map((row) => [row.id, row]));
  const faults: ImportError[] = [];
  for (const line of placed) {
    const before = byId.get(line.row.id);
    const fault = before && (await updateApp(work, before, line));
    if (fault) faults.push({ line: line.line, ...fault });
  }
  return { missing: placed.filter(({ row }) => !byId.has(row.id)), faults };
}

async function updateApp(work: ImportWork, before: AppRow, line: Placed<AppRow>): Promise<LineError | null> {
  if (before.developer_id !== line.row.developer_id) return anotherDeveloper;
  const after = mergeApp(work.registry, before, line);
  if (after === before) {
    work.summary.apps.unchanged += 1;
    return null;
  }
  if (after.name_claim !== before.name_claim && after.name_claim !== null) {
    const holder = await findAppByNameClaim(work.transaction, { nameClaim: after.name_claim });
    if (holder && holder.id !== after.id) return nameTaken;
  }
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
  detail: 'The app with this id is one of another developer, here or on an earlier line. Transfer it first.',
};
