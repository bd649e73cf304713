import { check } from '../contract/check.ts';
import {
  AppRecord,
  DeveloperRecord,
  ImportDiscriminant,
  type ImportRecord,
  type ImportType,
  importTypes,
  InstallationRecord,
} from '../contract/import-record.ts';
import type { Fault } from '../contract/problem.ts';
import type { AppRow, DeveloperRow, InstallationRow } from '../storage/tables.ts';
import { contentColumns, contentOf } from './app-content.ts';
import { newAppRow } from './create-app.ts';
import type { ImportLine } from './import-lines.ts';
import { PlatformIds } from './platform-id.ts';
import type { Registry } from './registry.ts';
import { newId, toTypeId } from './type-id.ts';

const schemas = { developer: DeveloperRecord, app: AppRecord, installation: InstallationRecord };

/** What a line says: a row of one type, or a fault. */
export type ReadRecord =
  | { type: 'developer'; row: DeveloperRow; faults?: never }
  | { type: 'app'; row: AppRow; faults?: never }
  | { type: 'installation'; row: InstallationRow; faults?: never }
  | FaultyRecord;

export interface FaultyRecord {
  /** Null when the line does not say. */
  type: ImportType | null;
  faults: Fault[];
  /** The developer or the app that later lines may refer to, as far as the line can be understood. */
  id: string | null;
}

/** Reads one line of an import by what it says alone; all its faults at once. */
export function readImportRecord(registry: Registry, { text, fault }: ImportLine): ReadRecord {
  const value = fault ? undefined : parse(text);
  if (value === undefined) return { faults: [fault ?? notJson], ...guess(registry, text) };
  const type = typeOf(value);
  if (!type) return { type, faults: check(ImportDiscriminant, value) ?? [], id: null };

  const faults = check(schemas[type], value);
  if (faults) return { type, faults, id: idOf(registry, value as Partial<ImportRecord>) };
  return readRow(registry, value as ImportRecord);
}

const notJson: Fault = {
  pointer: '',
  code: 'invalid_format',
  detail: 'The line must be one JSON object (RFC 8259).',
};

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What an unreadable line seems to be about, so that references to it are not told as faults too. */
function guess(registry: Registry, text: string): Pick<FaultyRecord, 'type' | 'id'> {
  const type = /"type"\s*:\s*"(developer|app)"/.exec(text)?.[1] as 'developer' | 'app' | undefined;
  if (!type) return { type: null, id: null };
  const id = /"id"\s*:\s*"([^"]*)"/.exec(text)?.[1];
  const userId = /"userId"\s*:\s*"([^"]*)"/.exec(text)?.[1];
  return { type, id: idOf(registry, { type, id, userId }) };
}

function typeOf(value: unknown): ImportType | null {
  const type = (value as { type?: unknown } | null)?.type;
  return importTypes.find((known) => known === type) ?? null;
}

function idOf(registry: Registry, record: { type?: unknown; id?: unknown; userId?: unknown }): string | null {
  if (record.type === 'app' && typeof record.id === 'string') return toTypeId(record.id, 'app');
  if (record.type === 'developer' && typeof record.userId === 'string') {
    return toTypeId(record.userId, registry.userIdPrefix);
  }
  return null;
}

function readRow(registry: Registry, record: ImportRecord): ReadRecord {
  const ids = new PlatformIds();
  const read = { type: record.type, row: toRow(registry, record, ids) } as ReadRecord;
  const faults = [...ids.faults, ...historyFaults(record)];
  return faults.length === 0 ? read : { type: record.type, faults, id: idOf(registry, record) };
}

function toRow(registry: Registry, record: ImportRecord, ids: PlatformIds): DeveloperRow | AppRow | InstallationRow {
  switch (record.type) {
    case 'developer':
      return developerRow(registry, record, ids);
    case 'app':
      return appRow(registry, record, ids);
    case 'installation':
      return installationRow(registry, record, ids);
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
    // What was approved elsewhere is not told: what comes in as APPROVED is taken for it (decision 24).
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
