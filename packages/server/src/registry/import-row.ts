import type { AppRecord, DeveloperRecord, ImportRecord, InstallationRecord } from '../contract/import-record.ts';
import type { Fault } from '../contract/problem.ts';
import type { AppRow, DeveloperRow, InstallationRow } from '../storage/tables.ts';
import { contentColumns, contentOf } from './app-content.ts';
import { newAppRow } from './create-app.ts';
import { PlatformIds } from './platform-id.ts';
import type { Registry } from './registry.ts';
import { newId } from './type-id.ts';

/** The row of one imported object. */
export type ImportRow =
  | { type: 'developer'; row: DeveloperRow }
  | { type: 'app'; row: AppRow }
  | { type: 'installation'; row: InstallationRow };

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
      return { type: 'developer', row: developerRow(registry, record, ids) };
    case 'app':
      return { type: 'app', row: appRow(registry, record, ids) };
    case 'installation':
      return { type: 'installation', row: installationRow(registry, record, ids) };
  }
}

function developerRow(registry: Registry, record: DeveloperRecord, ids: PlatformIds): DeveloperRow {
  const createdAt = record.createdAt ?? record.updatedAt;
  const at = createdAt === undefined ? registry.now() : Date.parse(createdAt);
  return {
    user_id: ids.read(record.userId, registry.userIdPrefix, '/userId'),
    email: record.email,
    first_name: record.firstName ?? null,
    last_name: record.lastName ?? null,
    created_at: at,
    updated_at: record.updatedAt === undefined ? at : Date.parse(record.updatedAt),
  };
}

function appRow(registry: Registry, record: AppRecord, ids: PlatformIds): AppRow {
  const row = newAppRow(registry, {
    id: ids.read(record.id, 'app', '/id'),
    developerId: ids.read(record.developerId, registry.userIdPrefix, '/developerId'),
    content: contentOf(record),
  });
  return {
    ...row,
    review_status: record.reviewStatus ?? 'DRAFT',
    rejection_reason: record.rejectionReason ?? null,
    // The record does not tell what was approved: what comes in as APPROVED is taken for it (decision 24).
    ...(record.reviewStatus === 'APPROVED' && {
      approved_content: JSON.stringify(contentColumns(row)),
      approved_revision: row.revision,
    }),
    created_at: Date.parse(record.createdAt),
    updated_at: Date.parse(record.updatedAt ?? record.createdAt),
  };
}

function installationRow(registry: Registry, record: InstallationRecord, ids: PlatformIds): InstallationRow {
  return {
    id: record.id === undefined ? newId('installation') : ids.read(record.id, 'installation', '/id'),
    app_id: ids.read(record.appId, 'app', '/appId'),
    workspace_id: ids.read(record.workspaceId, registry.workspaceIdPrefix, '/workspaceId'),
    user_id: ids.read(record.userId, registry.userIdPrefix, '/userId'),
    enabled: record.enabled === false ? 0 : 1,
    created_at: Date.parse(record.createdAt),
  };
}

function historyFaults(record: ImportRecord): Fault[] {
  const faults: Fault[] = [];
  if (record.type !== 'installation' && isBefore(record.updatedAt, record.createdAt)) {
    faults.push({ pointer: '/updatedAt', code: 'not_allowed', detail: 'The value must not be before createdAt.' });
  }
  if (record.type === 'app' && record.reviewStatus === 'APPROVED' && record.rejectionReason !== undefined) {
    const detail = 'An app that is APPROVED has no reason of a rejection. Leave the member out.';
    faults.push({ pointer: '/rejectionReason', code: 'not_allowed', detail });
  }
  return faults;
}

function isBefore(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && Date.parse(one) < Date.parse(other);
}
