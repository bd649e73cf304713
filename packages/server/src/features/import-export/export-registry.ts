import type { Registry } from '../../kernel/registry.ts';
import { dateTime, optional } from '../../kernel/text.ts';
import { streamApps, streamDevelopers, streamLogos } from '../../storage/kernel-queries.ts';
import type { Snapshot } from '../../storage/query.ts';
import type {
  AppContent,
  AppRow,
  DeletedAppRow,
  DeveloperRow,
  InstallationRow,
  LogoRow,
} from '../../storage/tables.ts';
import {
  appContentFields,
  appOfDeleted,
  approvedContent,
  type ContentPath,
  changedContentColumns,
  isRestorable,
} from '../apps/app-content.ts';
import { contentView, submittedAt } from '../apps/app-view.ts';
import { streamDeletedApps } from '../apps/deleted-app-queries.ts';
import { awaitsDecisions, clearedSinceApproval, undecidedColumns } from '../apps/next-app.ts';
import { developerRecord } from '../developers/developer.ts';
import { installationView, storedCauses } from '../installations/installation.ts';
import { streamInstallations } from '../installations/installation-queries.ts';
import type {
  AppRecord,
  DeveloperRecord,
  ImportRecord,
  InstallationRecord,
  LogoRecord,
} from './import-record-schema.ts';

/** How many objects were exported. */
interface ExportSummary {
  developers: number;
  logos: number;
  apps: number;
  installations: number;
}

/**
 * Exports the registry at one moment as the JSON Lines that `importRegistry` reads, ordered by type and id, with deleted
 * apps after the others, in constant memory. `write` receives some complete lines at a time and is awaited. Two
 * registries with the same objects give the same bytes on every engine. Excludes tokens, events, and deleted apps that
 * cannot be restored. `onProgress` is called repeatedly with the number of objects so far.
 */
export async function exportRegistry(
  registry: Registry,
  write: (lines: string) => Promise<void>,
  { onProgress = () => {} }: { onProgress?: (objects: number) => void } = {},
): Promise<ExportSummary> {
  const summary: ExportSummary = { developers: 0, logos: 0, apps: 0, installations: 0 };
  for await (const { type, records } of registry.storage.snapshot(exportedBatches(registry.now()))) {
    await write(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
    summary[type] += records.length;
    onProgress(summary.developers + summary.logos + summary.apps + summary.installations);
  }
  return summary;
}

interface ExportedBatch {
  type: keyof ExportSummary;
  records: ImportRecord[];
}

function exportedBatches(at: number) {
  return async function* batches(snapshot: Snapshot): AsyncGenerator<ExportedBatch, undefined> {
    for await (const rows of streamDevelopers(snapshot, {})) {
      yield { type: 'developers', records: rows.map(toDeveloperRecord) };
    }
    for await (const rows of streamLogos(snapshot, {})) yield { type: 'logos', records: rows.map(toLogoRecord) };
    for await (const rows of streamApps(snapshot, {})) yield { type: 'apps', records: rows.map(toAppRecord) };
    for await (const rows of streamDeletedApps(snapshot, {})) {
      const restorable = rows.filter((row) => isRestorable(row.deleted_at, at));
      yield { type: 'apps', records: restorable.map(toDeletedAppRecord) };
    }
    for await (const rows of streamInstallations(snapshot, {})) {
      yield { type: 'installations', records: rows.map(toInstallationRecord) };
    }
  };
}

function toDeveloperRecord(row: DeveloperRow): DeveloperRecord {
  return {
    type: 'developer',
    ...developerRecord(row),
    createdAt: dateTime(row.created_at),
    updatedAt: dateTime(row.updated_at),
    ...(row.suspended_at !== null && {
      suspension: { at: dateTime(row.suspended_at), reason: row.suspension_reason ?? '' },
    }),
  };
}

function toLogoRecord(row: LogoRow): LogoRecord {
  return {
    type: 'logo',
    id: row.id,
    developerId: row.developer_id,
    createdAt: dateTime(row.created_at),
    png: Buffer.from(row.png.buffer, row.png.byteOffset, row.png.byteLength).toString('base64'),
    ...(row.blocked_at !== null && { blocked: { at: dateTime(row.blocked_at), reason: row.blocked_reason ?? '' } }),
  };
}

function toAppRecord(row: AppRow): AppRecord {
  return {
    type: 'app',
    id: row.id,
    developerId: row.developer_id,
    ...contentRecord(row),
    createdAt: dateTime(row.created_at),
    updatedAt: dateTime(row.updated_at),
    reviewStatus: row.review_status,
    ...optional({ submittedAt: submittedAt(row), rejectionReason: row.rejection_reason }),
    revision: row.revision,
    ...approvedRecord(row),
    ...changeRecord(row),
    ...(row.suspended_status !== null && { suspendedStatus: row.suspended_status }),
  };
}

function toDeletedAppRecord(row: DeletedAppRow): AppRecord {
  return { ...toAppRecord(appOfDeleted(row)), deletedAt: dateTime(row.deleted_at) };
}

function toInstallationRecord(row: InstallationRow): InstallationRecord {
  const causes = storedCauses(row);
  // Left out where an import derives the same.
  const isByWorkspace = causes.join() === 'workspace';
  return {
    type: 'installation',
    ...installationView(row),
    ...(causes.length > 0 && !isByWorkspace && { disabledBy: causes }),
  };
}

function contentRecord(content: AppContent) {
  return { name: content.name, ...optional({ logoId: content.logo_id }), ...contentView(content) };
}

/** Left out where an import derives the same. */
function approvedRecord(row: AppRow): Pick<AppRecord, 'approved'> {
  const approved = approvedContent(row);
  if (!approved || row.approved_revision === null) return {};
  const isCurrent = row.approved_revision === row.revision && changedContentColumns(approved, row).length === 0;
  if (row.review_status === 'APPROVED' && isCurrent) return {};
  return { approved: { revision: row.approved_revision, ...contentRecord(approved) } };
}

/** What awaits a decision about approved content, and what has no effect until one. */
function changeRecord(row: AppRow): Pick<AppRecord, 'withdrawn' | 'changeSince' | 'changeRejected' | 'transferSince'> {
  const cleared = Object.entries(clearedSinceApproval(row));
  const withdrawn = cleared.map(([column, revision]) => ({ field: contentPath(column), revision }));
  const isRejected = awaitsDecisions(row) && row.change_since === 0 && undecidedColumns(row).length > 0;
  return {
    ...(withdrawn.length > 0 && { withdrawn }),
    ...(row.change_since !== 0 && { changeSince: dateTime(row.change_since) }),
    ...(isRejected && { changeRejected: true }),
    ...(row.transfer_since !== 0 && { transferSince: dateTime(row.transfer_since) }),
  };
}

function contentPath(column: string): ContentPath {
  const field = appContentFields.find((one) => one.column === column);
  if (!field) throw new TypeError(`there is no content field ${column}`);
  return field.path;
}
