import { checkValue } from '../../kernel/check.ts';
import type { ValidationError } from '../../kernel/problem-details.ts';
import type { Registry } from '../../kernel/registry.ts';
import { toTypeId } from '../../kernel/type-id.ts';
import {
  AppRecord,
  DeveloperRecord,
  ImportDiscriminant,
  type ImportType,
  InstallationRecord,
  importTypes,
  LogoRecord,
} from './import-record-schema.ts';
import { type ImportRow, toImportRow } from './import-row.ts';
import type { SourceRecord } from './source/source-record.ts';

export interface InvalidRecord {
  /** Null when unknown. */
  type: ImportType | null;
  errors: ImportRecordError[];
  /** The id of a developer, logo or app, which later lines may refer to; null when unknown. */
  id: string | null;
}

export type ImportRecordError = ValidationError & { clashesWith?: string };

const schemas = { developer: DeveloperRecord, logo: LogoRecord, app: AppRecord, installation: InstallationRecord };

/** Validates a record, without looking at others: a row, or all its errors. */
export function readImportRecord(registry: Registry, source: SourceRecord): ImportRow | InvalidRecord {
  const { value, errors: unread } = source;
  if (value === undefined) return { ...guess(registry, source), errors: unread };
  const discriminant = checkValue(ImportDiscriminant, value);
  if (discriminant.errors) return { type: null, errors: discriminant.errors, id: null };

  const { type } = discriminant.value;
  const record = checkValue<(typeof schemas)[ImportType]>(schemas[type], value);
  const invalid = (errors: ValidationError[]) => ({ type, errors, id: idOf(registry, discriminant.value) });
  if (unread.length > 0) return invalid(withoutRepeated(unread, record.errors ?? []));
  const { row, errors } = record.errors ? { row: null, errors: record.errors } : toImportRow(registry, record.value);
  return row ?? invalid(errors);
}

/** A cell that could not be read is left as it was given, which must not cause a second error. */
function withoutRepeated(unread: ValidationError[], errors: ValidationError[]): ValidationError[] {
  const reported = new Set(unread.map(({ pointer }) => pointer));
  if (reported.has('')) return unread;
  return [...unread, ...errors.filter(({ pointer }) => !reported.has(pointer))];
}

/** What an unreadable record seems to describe, so that references to it are not reported as errors too. */
function guess(registry: Registry, { text = '', type: known }: SourceRecord): Omit<InvalidRecord, 'errors'> {
  const name = /"type"\s*:\s*"(developer|logo|app)"/.exec(text)?.[1];
  const type = known ?? importTypes.find((one) => one === name);
  if (!type) return { type: null, id: null };
  return { type, id: idOf(registry, { type, id: guessField(text, 'id'), userId: guessField(text, 'userId') }) };
}

/** A copy: a part of a string keeps all of it in memory. */
function guessField(text: string, name: string): string | undefined {
  const [, value] = new RegExp(`"${name}"\\s*:\\s*"([^"]*)"`).exec(text) ?? [];
  return value === undefined ? undefined : Buffer.from(value).toString();
}

function idOf(registry: Registry, record: ImportDiscriminant): string | null {
  if ((record.type === 'app' || record.type === 'logo') && typeof record.id === 'string') {
    return toTypeId(record.id, record.type);
  }
  if (record.type === 'developer' && typeof record.userId === 'string') {
    return toTypeId(record.userId, registry.userIdPrefix);
  }
  return null;
}
