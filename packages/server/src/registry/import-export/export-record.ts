import type { AppRecord, DeveloperRecord, InstallationRecord, LogoRecord } from '../../contract/import-record.ts';
import type {
  AppContent,
  AppRow,
  DeletedAppRow,
  DeveloperRow,
  InstallationRow,
  LogoRow,
} from '../../storage/tables.ts';
import { changedContentColumns } from '../apps/app-content.ts';
import { contentView, developerRecord, installationView, optional, submittedAt } from '../apps/app-view.ts';
import { approvedContent } from '../apps/content-snapshot.ts';
import { appOfDeleted } from '../apps/deleted-app.ts';
import { dateTime } from '../date-time.ts';

export function toDeveloperRecord(row: DeveloperRow): DeveloperRecord {
  return {
    type: 'developer',
    ...developerRecord(row),
    createdAt: dateTime(row.created_at),
    updatedAt: dateTime(row.updated_at),
  };
}

export function toLogoRecord(row: LogoRow): LogoRecord {
  return {
    type: 'logo',
    id: row.id,
    developerId: row.developer_id,
    createdAt: dateTime(row.created_at),
    png: Buffer.from(row.png.buffer, row.png.byteOffset, row.png.byteLength).toString('base64'),
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
    // Without a stored time, an import derives the same one.
    ...(row.submitted_at !== 0 && optional({ submittedAt: submittedAt(row) })),
    ...optional({ rejectionReason: row.rejection_reason }),
    revision: row.revision,
    ...approvedRecord(row),
  };
}

export function toDeletedAppRecord(row: DeletedAppRow): AppRecord {
  return { ...toAppRecord(appOfDeleted(row)), deletedAt: dateTime(row.deleted_at) };
}

/** `mark` is set when the installation is disabled until its app is approved again. */
export function toInstallationRecord({ mark, ...row }: InstallationRow & { mark: string | null }): InstallationRecord {
  return { type: 'installation', ...installationView(row), ...(mark !== null && { untilApproved: true }) };
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
