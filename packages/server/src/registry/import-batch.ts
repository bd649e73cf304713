import type { ImportFault, ImportType } from '../contract/import-record.ts';
import type { FaultCode } from '../contract/problem.ts';
import { findApp, findAppByNameClaim, listAppIdsForUpdate } from '../storage/apps.ts';
import { listDeveloperIds } from '../storage/developers.ts';
import { findInstallation, findInstallationInWorkspace } from '../storage/installations.ts';
import type { Connection } from '../storage/query.ts';
import type { AppRow, DeveloperRow, InstallationRow, Tables } from '../storage/tables.ts';
import { allContent, contentChange } from './app-content.ts';
import { type Change, toEventRow } from './append-event.ts';
import type { ImportFaults } from './import-faults.ts';
import type { InstallationCounts } from './installation-counts.ts';
import type { Caller, Registry } from './registry.ts';

/** A row and the line that it came from. */
export interface Placed<Row> {
  line: number;
  row: Row;
}

/** Some lines of one type that follow one another; the rows of the other types are empty. */
export interface ImportBatch {
  type: ImportType | null;
  lineCount: number;
  developers: Placed<DeveloperRow>[];
  apps: Placed<AppRow>[];
  installations: Placed<InstallationRow>[];
  /** Of the lines that say nothing that can be stored. */
  faults: ImportFault[];
}

/** How much was imported. */
export interface ImportSummary {
  developers: number;
  apps: number;
  installations: number;
}

/** One import under way. */
export interface ImportWork {
  registry: Registry;
  caller: Caller;
  transaction: Connection;
  faults: ImportFaults;
  counts: InstallationCounts;
  summary: ImportSummary;
}

/** Stores the rows of a batch with their events, and adds the faults of its lines in their order. */
export async function storeBatch(work: ImportWork, batch: ImportBatch): Promise<void> {
  work.faults.add([
    ...batch.faults,
    ...(await storeDevelopers(work, batch.developers)),
    ...(await storeApps(work, batch.apps)),
    ...(await storeInstallations(work, batch.installations)),
  ]);
}

async function storeDevelopers(work: ImportWork, developers: Placed<DeveloperRow>[]): Promise<ImportFault[]> {
  const { stored, refused } = await insert(work, 'developers', developers, ({ user_id: userId }) => ({
    type: 'developer.created',
    subjectId: userId,
    after: { userId },
  }));
  work.summary.developers += stored.length;
  return refused.map(({ line, row }) => exists(line, '/userId', `A developer with the user id ${row.user_id}`));
}

async function storeApps(work: ImportWork, apps: Placed<AppRow>[]): Promise<ImportFault[]> {
}
