import { checkValue } from '../../../kernel/check.ts';
import type { ValidationError } from '../../../kernel/problem-details.ts';
import { type ImportType, importTypes } from '../import-record-schema.ts';
import { type FieldKind, importFields } from './import-fields.ts';
import { type FieldMapping, ImportMapping, mappedKinds } from './import-mapping.ts';
import { isTimeZone } from './local-time.ts';

/** Reads the text of a mapping file: the mapping, and all its errors. */
export function readMapping(text: string): { mapping: ImportMapping; errors: ValidationError[] } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const detail = `The mapping must be JSON (RFC 8259): ${(error as Error).message}.`;
    return { mapping: {}, errors: [{ pointer: '', code: 'invalid_format', detail }] };
  }
  const { value: mapping, errors } = checkValue(ImportMapping, withColumns(value));
  return errors ? { mapping: {}, errors } : { mapping, errors: fieldErrors(mapping) };
}

/** A field that is only the name of its column. */
function withColumns(value: unknown): unknown {
  if (!isObject(value)) return value;
  return mapped(value, (kind) => {
    if (!isObject(kind) || !isObject(kind.fields)) return kind;
    return { ...kind, fields: mapped(kind.fields, (field) => (typeof field === 'string' ? { column: field } : field)) };
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function mapped(object: Record<string, unknown>, change: (value: unknown) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));
}

/** What the schema cannot say. */
function fieldErrors(mapping: ImportMapping): ValidationError[] {
  return importTypes.flatMap((type) => {
    const { fields = {} } = mapping[mappedKinds[type]] ?? {};
    return importFields[type].flatMap(({ path, kind }) => {
      const field = fields[path];
      if (!field) return [];
      const pointer = `/${mappedKinds[type]}/fields/${path}`;
      return errorsOf(field, { kind, type, path }).map(([name, detail]) => ({
        pointer: name === '' ? pointer : `${pointer}/${name}`,
        code: 'not_allowed' as const,
        detail,
      }));
    });
  });
}

function errorsOf(
  field: FieldMapping,
  { kind, type, path }: { kind: FieldKind; type: ImportType; path: string },
): [name: string, detail: string][] {
  const { column, constant, values, time, timeZone, idKind, isPath } = field;
  const errors: [string, string][] = [];
  const refuse = (isWrong: boolean, name: string, detail: string) => {
    if (isWrong) errors.push([name, detail]);
  };
  refuse((column === undefined) === (constant === undefined), '', 'The field needs either a column or a constant.');
  refuse(
    constant !== undefined && !isScalar(constant),
    'constant',
    'The value must be a string, a number, true or false.',
  );
  for (const [cell, value] of Object.entries(values ?? {})) {
    const detail = 'The value must be a string, a number, true, false or null.';
    refuse(value !== null && !isScalar(value), `values/${cell.replaceAll('~', '~0').replaceAll('/', '~1')}`, detail);
  }
  refuse(values !== undefined && column === undefined, 'values', 'Only a column can have values to map.');
  refuse(time !== undefined && kind !== 'time', 'time', 'Only a time can have a notation.');
  refuse(timeZone !== undefined && kind !== 'time', 'timeZone', 'Only a time can have a time zone.');
  const isKnown = timeZone === undefined || isTimeZone(timeZone);
  refuse(!isKnown, 'timeZone', 'The value must be a time zone such as Europe/Berlin, or an offset such as +01:00.');
  refuse(
    kind === 'time' && time === 'date' && timeZone === undefined,
    'time',
    'The start of a date depends on the time zone. Set timeZone.',
  );
  refuse(idKind !== undefined && typeof kind !== 'object', 'idKind', 'Only an id can have a kind.');
  refuse(isPath === true && (type !== 'logo' || path !== 'png'), 'isPath', 'Only the png of a logo can be a path.');
  return errors;
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
