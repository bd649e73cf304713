import { dateTime } from '../../kernel/date-time.ts';
import type {
  AppContent,
  AppRow,
  DeletedAppRow,
  DeveloperRow,
  InstallationRow,
  LogoRow,
} from '../../storage/tables.ts';
import { changedContentColumns } from '../apps/app-content.ts';
import { appContentFields, type ContentPath } from '../apps/app-content-fields.ts';
import { contentView, developerRecord, optional, submittedAt } from '../apps/app-view.ts';
import { approvedContent } from '../apps/content-snapshot.ts';
import { appOfDeleted } from '../apps/deleted-app.ts';
import { undecidedColumns, withdrawnOf } from '../apps/effective-content.ts';
import { awaitsDecisions } from '../apps/next-app.ts';
import { causesOf, installationView } from '../installations/installation.ts';
import type { AppRecord, DeveloperRecord, InstallationRecord, LogoRecord } from './import-record-schema.ts';

export function toDeveloperRecord(row: DeveloperRow): DeveloperRecord {
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

export function toLogoRecord(row: LogoRow): LogoRecord {
  return {
    type: 'logo',
    id: row.id,
    developerId: row.developer_id,
    createdAt: dateTime(row.created_at),
    png: Buffer.from(row.png.buffer, row.png.byteOffset, row.png.byteLength).toString('base64'),
    ...(row.blocked_at !== null && { blocked: { at: dateTime(row.blocked_at), reason: row.blocked_reason ?? '' } }),
  };
}

export function toAppRecord(row: AppRow): AppRecord {
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

export function toDeletedAppRecord(row: DeletedAppRow): AppRecord {
  return { ...toAppRecord(appOfDeleted(row)), deletedAt: dateTime(row.deleted_at) };
}

export function toInstallationRecord(row: InstallationRow): InstallationRecord {
  const causes = causesOf(row);
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
  const withdrawn = Object.entries(withdrawnOf(row)).map(([column, revision]) => ({ field: pathOf(column), revision }));
  const isRejected = awaitsDecisions(row) && row.change_since === 0 && undecidedColumns(row).length > 0;
  return {
    ...(withdrawn.length > 0 && { withdrawn }),
    ...(row.change_since !== 0 && { changeSince: dateTime(row.change_since) }),
    ...(isRejected && { changeRejected: true }),
    ...(row.transfer_since !== 0 && { transferSince: dateTime(row.transfer_since) }),
  };
}

function pathOf(column: string): ContentPath {
  const field = appContentFields.find((one) => one.column === column);
  if (!field) throw new TypeError(`there is no content field ${column}`);
  return field.path;
}
