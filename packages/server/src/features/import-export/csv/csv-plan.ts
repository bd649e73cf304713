import { checkValue } from '../../../kernel/check.ts';
import type { ValidationError } from '../../../kernel/problem-details.ts';
import { errorOfAll, type ImportType, importTypes } from '../import-record-schema.ts';
import { isTimeZone } from './cell-time.ts';
import {
  type FieldKind,
  type FieldMapping,
  type ImportField,
  ImportMapping,
  importFields,
  mappedKinds,
  noValueMarkers,
} from './import-mapping.ts';

/** CSV files, one for each kind of object, in any order. */
export interface CsvInput {
  files: CsvFile[];
  /** The text of a mapping file (`features/import-export/csv/import-mapping.ts`), and its name for errors. */
  mapping?: { name: string; text: string };
  /** Ids that are neither TypeIDs nor UUIDs become UUIDv5 in this namespace, a UUID. Without it they are errors. */
  idNamespace?: string;
}

export interface CsvFile {
  /** Without its folder. */
  name: string;
  /** One ASCII character. */
  delimiter: string;
  /** Opens the file at its start. Called again when the transaction is retried. */
  open: () => AsyncIterable<Uint8Array>;
  /** Reads another file by a path from the file: up to one byte more than the maximum, or null if it cannot be read. */
  readBeside: (path: string, bytesMax: number) => Promise<Uint8Array | null>;
}

/** How the field of a record is read from a row. */
export interface PlannedField {
  names: string[];
  pointer: string;
  kind: FieldKind;
  mapping: FieldMapping;
  /** The index of its column; null if it is a constant. */
  at: number | null;
}

/** How the records of a file are read. */
export interface CsvPlan {
  type: ImportType;
  /** How many cells a row has. */
  width: number;
  fields: PlannedField[];
  /** By JSON Pointer: the column of a field. */
  columns: ReadonlyMap<string, string>;
  /** The cells that have no value, besides an empty one. */
  noValue: string[];
}

/** Plans how to read a file with this header, by the mapping or by the names of the fields. Returns all errors. */
export function planCsv(
  type: ImportType,
  header: string[],
  mapping: ImportMapping,
): { plan: CsvPlan; errors: ValidationError[] } {
  const given = mapping[mappedKinds[type]]?.fields;
  const mapped = given ?? Object.fromEntries(header.map((column) => [column, { column }]));
  const fields = importFields[type].flatMap((field) => {
    const one = Object.hasOwn(mapped, field.path) ? mapped[field.path] : undefined;
    return one ? [planned(field, one, header)] : [];
  });
  const errors = [
    ...headerErrors(header),
    ...(given ? missingColumns(type, given, header) : unknownColumns(type, header)),
  ];
  const columns = new Map(fields.map(({ pointer, mapping: { column = '' } }) => [pointer, column]));
  const { noValue = noValueMarkers } = mapping;
  return { plan: { type, width: header.length, fields, columns, noValue }, errors };
}

function planned({ path, kind }: ImportField, mapping: FieldMapping, header: string[]): PlannedField {
  const names = path.split('.');
  const at = mapping.column === undefined ? null : header.indexOf(mapping.column);
  return { names, pointer: `/${names.join('/')}`, kind, mapping, at };
}

function headerErrors(header: string[]): ValidationError[] {
  const repeated = new Set(header.filter((column, at) => header.indexOf(column) !== at));
  return [...repeated].map((column) =>
    errorOfAll('already_exists', `The header has the column ${quoted(column)} more than once.`),
  );
}

function unknownColumns(type: ImportType, header: string[]): ValidationError[] {
  const known = new Set(importFields[type].map(({ path }) => path));
  return [...new Set(header)]
    .filter((column) => !known.has(column))
    .map((column) => {
      const detail = `The column ${quoted(column)} does not match a field. Map it (--mapping), or rename it to one of ${[...known].join(', ')}.`;
      return errorOfAll('unknown_field', detail);
    });
}

function missingColumns(type: ImportType, fields: Record<string, FieldMapping>, header: string[]): ValidationError[] {
  return Object.entries(fields).flatMap(([path, { column }]) => {
    if (column === undefined || header.includes(column)) return [];
    const detail = `The header has no column ${quoted(column)}, which the mapping uses for ${mappedKinds[type]}, ${path}.`;
    return [errorOfAll('not_found', detail)];
  });
}

/** A header may be anything. */
function quoted(column: string): string {
  return JSON.stringify(column.length <= 100 ? column : `${column.slice(0, 100)}…`);
}

/** Reads the text of a mapping file: the mapping, and all its errors. */
export function readMapping(text: string): { mapping: ImportMapping; errors: ValidationError[] } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const detail = `The mapping must be JSON (RFC 8259): ${(error as Error).message}.`;
    return { mapping: {}, errors: [errorOfAll('invalid_format', detail)] };
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
      return mappingErrors(field, { kind, type, path }).map(([name, detail]) => ({
        pointer: name === '' ? pointer : `${pointer}/${name}`,
        code: 'not_allowed' as const,
        detail,
      }));
    });
  });
}

function mappingErrors(
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
