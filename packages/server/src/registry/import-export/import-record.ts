import { checkValue } from '../../contract/check.ts';
import {
  AppRecord,
  DeveloperRecord,
  ImportDiscriminant,
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

export interface InvalidRecord {
  /** Null when unknown. */
  type: ImportType | null;
  errors: ValidationError[];
  /** The id of a developer, logo or app, which later lines may refer to; null when unknown. */
  id: string | null;
}

const schemas = { developer: DeveloperRecord, logo: LogoRecord, app: AppRecord, installation: InstallationRecord };

/** Parses a line, without looking at others: a row, or all its errors. */
export function readImportRecord(registry: Registry, { text, error }: ImportLine): ImportRow | InvalidRecord {
  const value = error ? undefined : parse(text);
  if (value === undefined) return { ...guess(registry, text), errors: [error ?? notJson] };
  const discriminant = checkValue(ImportDiscriminant, value);
  if (discriminant.errors) return { type: null, errors: discriminant.errors, id: null };

  const { type } = discriminant.value;
  const record = checkValue<(typeof schemas)[ImportType]>(schemas[type], value);
  const { row, errors } = record.errors ? { row: null, errors: record.errors } : toImportRow(registry, record.value);
  return row ?? { type, errors, id: idOf(registry, discriminant.value) };
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

/** What an unreadable line seems to describe, so that references to it are not reported as errors too. */
function guess(registry: Registry, text: string): Omit<InvalidRecord, 'errors'> {
  const name = /"type"\s*:\s*"(developer|logo|app)"/.exec(text)?.[1];
  const type = importTypes.find((known) => known === name);
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
