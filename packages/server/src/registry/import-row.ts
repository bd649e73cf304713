import type {
  AppRecord,
  DeveloperRecord,
  ImportRecord,
  InstallationRecord,
  LogoRecord,
} from '../contract/import-record.ts';
import type { Fault } from '../contract/problem.ts';
import type { AppRow, DeveloperRow, InstallationRow, LogoRow } from '../storage/tables.ts';
import { contentOf, contentText } from './app-content.ts';
import { newAppRow } from './create-app.ts';
import { PlatformIds } from './platform-id.ts';
import type { Registry } from './registry.ts';
import { newId } from './type-id.ts';

/** The row of one imported object. */
export type ImportRow =
  | ({ type: 'developer' } & Said<DeveloperRow>)
  | ({ type: 'logo' } & Said<LogoRow>)
  | ({ type: 'app' } & Said<AppRow>)
  | ({ type: 'installation' } & Said<InstallationRow>);

/** What a line says, with what a new object gets where it says nothing. */
export interface Said<Row> {
  row: Row;
  /** The columns of which it says nothing: an object that exists keeps its own. */
  unsaid: readonly (keyof Row)[];
}

/** Makes the row of a record that keeps to its schema, or tells what else is wrong with it. */
export function toImportRow(
  registry: Registry,
  record: ImportRecord,
): { read: ImportRow; faults: null } | { read: null; faults: Fault[] } {
  const ids = new PlatformIds();
  const read = readRow(registry, record, ids);
  const faults = [...ids.faults, ...historyFaults(record)];
  return faults.length === 0 ? { read, faults: null } : { read: null, faults };
}

function readRow(registry: Registry, record: ImportRecord, ids: PlatformIds): ImportRow {
  switch (record.type) {
    case 'developer':
      return { type: 'developer', ...readDeveloper(registry, record, ids) };
    case 'logo':
      return { type: 'logo', ...readLogo(registry, record, ids) };
    case 'app':
      return { type: 'app', ...readApp(registry, record, ids) };
    case 'installation':
      return { type: 'installation', ...readInstallation(registry, record, ids) };
  }
}

function readDeveloper(registry: Registry, record: DeveloperRecord, ids: PlatformIds): Said<DeveloperRow> {
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

function readLogo(registry: Registry, record: LogoRecord, ids: PlatformIds): Said<LogoRow> {
  const row = {
    id: ids.read(record.id, 'logo', '/id'),
    developer_id: ids.read(record.developerId, registry.userIdPrefix, '/developerId'),
    png: Buffer.from(record.png, 'base64'),
    created_at: Date.parse(record.createdAt),
  };
  return { row, unsaid: [] };
}

function readApp(registry: Registry, record: AppRecord, ids: PlatformIds): Said<AppRow> {
  const row = newAppRow(registry, {
    id: ids.read(record.id, 'app', '/id'),
    developerId: ids.read(record.developerId, registry.userIdPrefix, '/developerId'),
    content: readContent(record, ids, ''),
  });
  return {
    row: {
      ...row,
      review_status: record.reviewStatus ?? 'DRAFT',
      rejection_reason: record.rejectionReason ?? null,
      revision: record.revision ?? 1,
      ...readApproved(record, row, ids),
      created_at: Date.parse(record.createdAt),
      updated_at: Date.parse(record.updatedAt ?? record.createdAt),
    },
    unsaid: unsaid({ review_status: record.reviewStatus, updated_at: record.updatedAt }),
  };
}

function readContent(record: AppRecord | NonNullable<AppRecord['approved']>, ids: PlatformIds, at: string) {
  const content = contentOf(record);
  return content.logo_id === null
    ? content
    : { ...content, logo_id: ids.read(content.logo_id, 'logo', `${at}/logoId`) };
}

/** What comes in as APPROVED is taken for what was approved, unless the record tells otherwise (decision 24). */
function readApproved({ approved, reviewStatus, revision = 1 }: AppRecord, row: AppRow, ids: PlatformIds) {
  if (approved) {
    const content = readContent(approved, ids, '/approved');
    return { approved_content: contentText(content), approved_revision: approved.revision };
  }
  return reviewStatus === 'APPROVED' ? { approved_content: contentText(row), approved_revision: revision } : {};
}

function readInstallation(registry: Registry, record: InstallationRecord, ids: PlatformIds): Said<InstallationRow> {
  const row: InstallationRow = {
    id: record.id === undefined ? newId('installation') : ids.read(record.id, 'installation', '/id'),
    app_id: ids.read(record.appId, 'app', '/appId'),
    workspace_id: ids.read(record.workspaceId, registry.workspaceIdPrefix, '/workspaceId'),
    user_id: ids.read(record.userId, registry.userIdPrefix, '/userId'),
    enabled: record.enabled === false ? 0 : 1,
    created_at: Date.parse(record.createdAt),
  };
  return { row, unsaid: unsaid({ id: record.id, enabled: record.enabled }) };
}

function unsaid<Column extends string>(said: Partial<Record<Column, unknown>>): Column[] {
  return (Object.keys(said) as Column[]).filter((column) => said[column] === undefined);
}

function historyFaults(record: ImportRecord): Fault[] {
  const faults: Fault[] = [];
  if (record.type === 'logo' && Buffer.from(record.png, 'base64').toString('base64') !== record.png) {
    faults.push({ pointer: '/png', code: 'invalid_format', detail: 'The value must be Base64 (RFC 4648, section 4).' });
  }
  if ((record.type === 'developer' || record.type === 'app') && isBefore(record.updatedAt, record.createdAt)) {
    faults.push({ pointer: '/updatedAt', code: 'not_allowed', detail: 'The value must not be before createdAt.' });
  }
  if (record.type === 'app' && record.reviewStatus === 'APPROVED' && record.rejectionReason !== undefined) {
    const detail = 'An app that is APPROVED has no reason of a rejection. Leave the member out.';
    faults.push({ pointer: '/rejectionReason', code: 'not_allowed', detail });
  }
  if (record.type === 'app') faults.push(...approvedFaults(record));
  return faults;
}

/** One revision is of one content. */
function approvedFaults({ approved, revision = 1, ...current }: AppRecord): Fault[] {
  if (!approved || approved.revision < revision) return [];
  const isCurrent = contentText(contentOf(approved)) === contentText(contentOf(current));
  if (approved.revision === revision && isCurrent) return [];
  const detail = 'The value must be less than the revision of the app, or that revision with the same content.';
  return [{ pointer: '/approved/revision', code: 'not_allowed', detail }];
}

function isBefore(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && Date.parse(one) < Date.parse(other);
}
