import type {
  AppRecord,
  DeveloperRecord,
  ImportRecord,
  InstallationRecord,
  LogoRecord,
} from '../../contract/import-record.ts';
import type { ValidationError } from '../../contract/problem.ts';
import type { AppRow, DeveloperRow, InstallationRow, LogoRow } from '../../storage/tables.ts';
import { contentOf } from '../apps/app-content.ts';
import { approvedColumns } from '../apps/content-snapshot.ts';
import { newAppRow } from '../apps/create-app.ts';
import { PlatformIds } from '../platform-id.ts';
import type { Registry } from '../registry.ts';
import { newId } from '../type-id.ts';
import { historyFaults } from './import-history.ts';

/** The row of one imported object. */
export type ImportRow =
  | ({ type: 'developer' } & CommandResult<DeveloperRow>)
  | ({ type: 'logo' } & CommandResult<LogoRow>)
  | ({ type: 'app' } & CommandResult<AppRow>)
  | ({ type: 'deletedApp' } & SaidDeletedApp)
  | ({ type: 'installation' } & SaidInstallation);

/** What a line says, with what a new object gets where it says nothing. */
export interface CommandResult<Row> {
  row: Row;
  /** The columns of which it says nothing: an object that exists keeps its own. */
  unsaid: readonly (keyof Row)[];
}

export interface SaidDeletedApp extends CommandResult<AppRow> {
  deletedAt: number;
}

export interface SaidInstallation extends CommandResult<InstallationRow> {
  /** Of one that is disabled: whether it is until its app is approved again. Unsaid when `enabled` is. */
  untilApproved: boolean;
}

/** Makes the row of a record that keeps to its schema, or tells what else is wrong with it. */
export function toImportRow(
  registry: Registry,
  record: ImportRecord,
): { read: ImportRow; faults: null } | { read: null; faults: ValidationError[] } {
  const ids = new PlatformIds();
  const read = readRow(registry, record, ids);
  const faults = [...ids.errors, ...historyFaults(record)];
  return faults.length === 0 ? { read, faults: null } : { read: null, faults };
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

function readDeveloper(registry: Registry, record: DeveloperRecord, ids: PlatformIds): CommandResult<DeveloperRow> {
  const createdAt = record.createdAt ?? record.updatedAt;
  const at = createdAt === undefined ? registry.now() : Date.parse(createdAt);
  const row = {
    user_id: ids.read(record.userId, registry.userIdPrefix, '/userId'),
    email: record.email,
    first_name: record.firstName ?? null,
    last_name: record.lastName ?? null,
    created_at: at,
    updated_at: record.updatedAt === undefined ? at : Date.parse(record.updatedAt),
  };
  return { row, unsaid: unsaid({ created_at: record.createdAt, updated_at: record.updatedAt }) };
}

function readLogo(registry: Registry, record: LogoRecord, ids: PlatformIds): CommandResult<LogoRow> {
  const row = {
    id: ids.read(record.id, 'logo', '/id'),
    developer_id: ids.read(record.developerId, registry.userIdPrefix, '/developerId'),
    png: Buffer.from(record.png, 'base64'),
    created_at: Date.parse(record.createdAt),
  };
  return { row, unsaid: [] };
}

function readApp(registry: Registry, record: AppRecord, ids: PlatformIds): CommandResult<AppRow> {
  const row = newAppRow(registry, {
    id: ids.read(record.id, 'app', '/id'),
    developerId: ids.read(record.developerId, registry.userIdPrefix, '/developerId'),
    content: readContent(record, ids, ''),
  });
  const updatedAt = Date.parse(record.updatedAt ?? record.createdAt);
  return {
    row: {
      ...row,
      review_status: record.reviewStatus ?? 'DRAFT',
      rejection_reason: record.rejectionReason ?? null,
      revision: record.revision ?? 1,
      ...readApproved(record, row, ids),
      created_at: Date.parse(record.createdAt),
      submitted_at: submittedAt(record, updatedAt),
      updated_at: updatedAt,
    },
    unsaid: unsaid({
      review_status: record.reviewStatus,
      submitted_at: record.submittedAt,
      updated_at: record.updatedAt,
    }),
  };
}

function readContent(record: AppRecord | NonNullable<AppRecord['approved']>, ids: PlatformIds, at: string) {
  const content = contentOf(record);
  return content.logo_id === null
    ? content
    : { ...content, logo_id: ids.read(content.logo_id, 'logo', `${at}/logoId`) };
}

/** A line that does not say it comes from where its last change was the submission. */
function submittedAt({ reviewStatus, submittedAt: said }: AppRecord, updatedAt: number): number {
  if (said !== undefined) return Date.parse(said);
  return reviewStatus === 'AWAITING_REVIEW' ? updatedAt : 0;
}

/** What comes in as APPROVED is taken for what was approved, unless the record tells otherwise (decision 24). */
function readApproved({ approved, reviewStatus, revision = 1 }: AppRecord, row: AppRow, ids: PlatformIds) {
  if (approved) return approvedColumns(readContent(approved, ids, '/approved'), approved.revision);
  return reviewStatus === 'APPROVED' ? approvedColumns(row, revision) : {};
}

function readInstallation(registry: Registry, record: InstallationRecord, ids: PlatformIds): SaidInstallation {
  const row: InstallationRow = {
    id: record.id === undefined ? newId('installation') : ids.read(record.id, 'installation', '/id'),
    app_id: ids.read(record.appId, 'app', '/appId'),
    workspace_id: ids.read(record.workspaceId, registry.workspaceIdPrefix, '/workspaceId'),
    user_id: ids.read(record.userId, registry.userIdPrefix, '/userId'),
    enabled: record.enabled === false ? 0 : 1,
    created_at: Date.parse(record.createdAt),
  };
  return {
    row,
    unsaid: unsaid({ id: record.id, enabled: record.enabled }),
    untilApproved: record.untilApproved ?? false,
  };
}

function unsaid<Column extends string>(said: Partial<Record<Column, unknown>>): Column[] {
  return (Object.keys(said) as Column[]).filter((column) => said[column] === undefined);
}
