import { PlatformIds } from '../../kernel/platform-id.ts';
import type { ValidationError } from '../../kernel/problem-details.ts';
import type { Registry } from '../../kernel/registry.ts';
import { newStamp } from '../../kernel/revision.ts';
import { newId } from '../../kernel/type-id.ts';
import type { AppRow, DeveloperRow, InstallationRow, LogoRow } from '../../storage/tables.ts';
import { contentOf } from '../apps/app-content.ts';
import { appContentFields } from '../apps/app-content-fields.ts';
import { approvedColumns } from '../apps/content-snapshot.ts';
import { derivedColumns, newAppRow } from '../apps/next-app.ts';
import { causeColumns, type DisablingCause, disablingCauses } from '../installations/installation.ts';
import { historyErrors } from './import-history.ts';
import type {
  AppRecord,
  DeveloperRecord,
  ImportRecord,
  InstallationRecord,
  LogoRecord,
} from './import-record-schema.ts';

/** The row of one imported object. */
export type ImportRow =
  | ({ type: 'developer' } & ParsedRecord<DeveloperRow>)
  | ({ type: 'logo' } & ParsedRecord<LogoRow>)
  | ({ type: 'app' } & ParsedRecord<AppRow>)
  | ({ type: 'deletedApp' } & ParsedDeletedApp)
  | ({ type: 'installation' } & ParsedInstallation);

/** The row of a line, with the defaults of a new object for absent fields. */
export interface ParsedRecord<Row> {
  row: Row;
  /** The columns without a value in the line: an existing object retains its values. */
  absentColumns: readonly (keyof Row)[];
}

export interface ParsedDeletedApp extends ParsedRecord<AppRow> {
  deletedAt: number;
}

export interface ParsedInstallation extends ParsedRecord<InstallationRow> {
  /** Why it is disabled; empty when it is enabled. Absent from the line when `enabled` is. */
  causes: DisablingCause[];
}

/** Converts a record that matches its schema to a row, or returns its remaining errors. */
export function toImportRow(
  registry: Registry,
  record: ImportRecord,
): { row: ImportRow; errors: null } | { row: null; errors: ValidationError[] } {
  const ids = new PlatformIds();
  const row = readRow(registry, record, ids);
  const errors = [...ids.errors, ...historyErrors(record)];
  return errors.length === 0 ? { row, errors: null } : { row: null, errors };
}

function readRow(registry: Registry, record: ImportRecord, ids: PlatformIds): ImportRow {
  switch (record.type) {
    case 'developer':
      return { type: 'developer', ...readDeveloper(registry, record, ids) };
    case 'logo':
      return { type: 'logo', ...readLogo(registry, record, ids) };
    case 'app':
      return record.deletedAt === undefined
        ? { type: 'app', ...readApp(registry, record, ids) }
        : { type: 'deletedApp', ...readApp(registry, record, ids), deletedAt: Date.parse(record.deletedAt) };
    case 'installation':
      return { type: 'installation', ...readInstallation(registry, record, ids) };
  }
}

function readDeveloper(registry: Registry, record: DeveloperRecord, ids: PlatformIds): ParsedRecord<DeveloperRow> {
  const createdAt = record.createdAt ?? record.updatedAt;
  const at = createdAt === undefined ? registry.now() : Date.parse(createdAt);
  const row = {
    user_id: ids.read(record.userId, registry.userIdPrefix, '/userId'),
    email: record.email,
    first_name: record.firstName ?? null,
    last_name: record.lastName ?? null,
    created_at: at,
    updated_at: record.updatedAt === undefined ? at : Date.parse(record.updatedAt),
    suspended_at: record.suspension === undefined ? null : Date.parse(record.suspension.at),
    suspension_reason: record.suspension?.reason ?? null,
    revision_stamp: newStamp(),
  };
  return { row, absentColumns: absentIn({ created_at: record.createdAt, updated_at: record.updatedAt }) };
}

function readLogo(registry: Registry, record: LogoRecord, ids: PlatformIds): ParsedRecord<LogoRow> {
  const row = {
    id: ids.read(record.id, 'logo', '/id'),
    developer_id: ids.read(record.developerId, registry.userIdPrefix, '/developerId'),
    png: Buffer.from(record.png, 'base64'),
    created_at: Date.parse(record.createdAt),
    blocked_at: record.blocked === undefined ? null : Date.parse(record.blocked.at),
    blocked_reason: record.blocked?.reason ?? null,
  };
  return { row, absentColumns: [] };
}

function readApp(registry: Registry, record: AppRecord, ids: PlatformIds): ParsedRecord<AppRow> {
  const row = newAppRow(registry, {
    id: ids.read(record.id, 'app', '/id'),
    developerId: ids.read(record.developerId, registry.userIdPrefix, '/developerId'),
    content: readContent(record, ids, ''),
  });
  const updatedAt = Date.parse(record.updatedAt ?? record.createdAt);
  const imported: AppRow = {
    ...row,
    review_status: record.reviewStatus ?? 'DRAFT',
    rejection_reason: record.rejectionReason ?? null,
    revision: record.revision ?? 1,
    ...readApproved(record, row, ids),
    withdrawn: readWithdrawn(record),
    // Without a time, the last change of the app was the one that awaits a decision.
    change_since: record.changeRejected ? 0 : timeOf(record.changeSince) || updatedAt,
    transfer_since: timeOf(record.transferSince),
    suspended_status: record.suspendedStatus ?? null,
    created_at: Date.parse(record.createdAt),
    submitted_at: submittedAt(record, updatedAt),
    updated_at: updatedAt,
  };
  return {
    row: { ...imported, ...derivedColumns(imported) },
    absentColumns: absentIn({
      review_status: record.reviewStatus,
      submitted_at: record.submittedAt,
      updated_at: record.updatedAt,
      withdrawn: record.withdrawn,
      change_since: record.changeSince ?? record.changeRejected,
      transfer_since: record.transferSince,
    }),
  };
}

function timeOf(given: string | undefined): number {
  return given === undefined ? 0 : Date.parse(given);
}

function readWithdrawn({ withdrawn }: AppRecord): string | null {
  if (!withdrawn) return null;
  const columnOf = (path: string) => appContentFields.find((field) => field.path === path)?.column;
  return JSON.stringify(Object.fromEntries(withdrawn.map(({ field, revision }) => [columnOf(field), revision])));
}

function readContent(record: AppRecord | NonNullable<AppRecord['approved']>, ids: PlatformIds, at: string) {
  const content = contentOf(record);
  return content.logo_id === null
    ? content
    : { ...content, logo_id: ids.read(content.logo_id, 'logo', `${at}/logoId`) };
}

/** Without a time of submission, the last change of the app was its submission. */
function submittedAt({ reviewStatus, submittedAt: given }: AppRecord, updatedAt: number): number {
  if (given !== undefined) return Date.parse(given);
  return reviewStatus === 'AWAITING_REVIEW' ? updatedAt : 0;
}

/** A record that is APPROVED, or was before a suspension, without `approved` has its current content approved (decision 24). */
function readApproved(record: AppRecord, row: AppRow, ids: PlatformIds) {
  const { approved, reviewStatus, suspendedStatus, revision = 1 } = record;
  const isCurrent = (approved?.revision ?? revision) === revision;
  const stamp = isCurrent ? row.revision_stamp : newStamp();
  if (approved) return approvedColumns(readContent(approved, ids, '/approved'), { revision: approved.revision, stamp });
  const isApproved = reviewStatus === 'APPROVED' || suspendedStatus === 'APPROVED';
  return isApproved ? approvedColumns(row, { revision, stamp }) : {};
}

function readInstallation(registry: Registry, record: InstallationRecord, ids: PlatformIds): ParsedInstallation {
  const causes = readCauses(record);
  const row: InstallationRow = {
    id: record.id === undefined ? newId('installation') : ids.read(record.id, 'installation', '/id'),
    app_id: ids.read(record.appId, 'app', '/appId'),
    workspace_id: ids.read(record.workspaceId, registry.workspaceIdPrefix, '/workspaceId'),
    user_id: ids.read(record.userId, registry.userIdPrefix, '/userId'),
    ...causeColumns(causes),
    created_at: Date.parse(record.createdAt),
  };
  return { row, absentColumns: absentIn({ id: record.id, enabled: record.enabled }), causes };
}

function readCauses({ enabled, disabledBy = ['workspace'] }: InstallationRecord): DisablingCause[] {
  if (enabled !== false) return [];
  return disablingCauses.filter((cause) => disabledBy.includes(cause));
}

function absentIn<Column extends string>(given: Record<Column, unknown>): Column[] {
  const absent: Column[] = [];
  for (const column in given) if (given[column] === undefined) absent.push(column);
  return absent;
}
