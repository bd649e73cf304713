import { check } from '../../contract/check.ts';
import {
  AppRecord,
  DeveloperRecord,
  ImportDiscriminant,
  type ImportRecord,
  type ImportType,
  InstallationRecord,
  importTypes,
  LogoRecord,
} from '../../contract/import-record.ts';
import type { ValidationError } from '../../contract/problem.ts';
import type { Registry } from '../registry.ts';
import { toTypeId } from '../type-id.ts';
import type { ImportLine } from './import-lines.ts';
import { type ImportRow, toImportRow } from './import-row.ts';

export interface FaultyRecord {
  /** Null when the line does not say. */
  type: ImportType | null;
  faults: ValidationError[];
  /** The developer, logo or app that later lines may refer to, as far as the line can be understood. */
  id: string | null;
}

const schemas = { developer: DeveloperRecord, logo: LogoRecord, app: AppRecord, installation: InstallationRecord };

/** What a line says by itself: a row, or all that is wrong with it. */
export function readImportRecord(registry: Registry, { text, fault }: ImportLine): ImportRow | FaultyRecord {
  const value = fault ? undefined : parse(text);
  if (value === undefined) return { ...guess(registry, text), faults: [fault ?? notJson] };
  const type = typeOf(value);
  if (!type) return { type, faults: check(ImportDiscriminant, value) ?? [], id: null };

  const record = value as ImportRecord;
  const { read, faults } = toCheckedRow(registry, record);
  return read ?? { type, faults, id: idOf(registry, record) };
}

const notJson: ValidationError = {
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
function guess(registry: Registry, text: string): Omit<FaultyRecord, 'faults'> {
  const type = /"type"\s*:\s*"(developer|logo|app)"/.exec(text)?.[1] as Exclude<ImportType, 'installation'> | undefined;
  if (!type) return { type: null, id: null };
  const id = /"id"\s*:\s*"([^"]*)"/.exec(text)?.[1];
  const userId = /"userId"\s*:\s*"([^"]*)"/.exec(text)?.[1];
  return { type, id: idOf(registry, { type, id, userId }) };
}

function typeOf(value: unknown): ImportType | null {
  const type = (value as { type?: unknown } | null)?.type;
  return importTypes.find((known) => known === type) ?? null;
}

function toCheckedRow(registry: Registry, record: ImportRecord): ReturnType<typeof toImportRow> {
  const faults = check(schemas[record.type], record);
  return faults ? { read: null, faults } : toImportRow(registry, record);
}

function idOf(registry: Registry, record: { type: ImportType; id?: unknown; userId?: unknown }): string | null {
  if ((record.type === 'app' || record.type === 'logo') && typeof record.id === 'string') {
    return toTypeId(record.id, record.type);
  }
  if (record.type === 'developer' && typeof record.userId === 'string') {
    return toTypeId(record.userId, registry.userIdPrefix);
  }
  return null;
}
