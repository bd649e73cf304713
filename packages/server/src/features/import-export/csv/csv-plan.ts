import type { ValidationError } from '../../../kernel/problem-details.ts';
import type { ImportType } from '../import-record-schema.ts';
import { type FieldKind, type ImportField, importFields } from './import-fields.ts';
import { type FieldMapping, type ImportMapping, mappedKinds } from './import-mapping.ts';

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
  return { plan: { type, width: header.length, fields, columns }, errors };
}

function planned({ path, kind }: ImportField, mapping: FieldMapping, header: string[]): PlannedField {
  const names = path.split('.');
  const at = mapping.column === undefined ? null : header.indexOf(mapping.column);
  return { names, pointer: `/${names.join('/')}`, kind, mapping, at };
}

function headerErrors(header: string[]): ValidationError[] {
  const repeated = new Set(header.filter((column, at) => header.indexOf(column) !== at));
  return [...repeated].map((column) => ({
    pointer: '',
    code: 'already_exists',
    detail: `The header has the column ${quoted(column)} more than once.`,
  }));
}

function unknownColumns(type: ImportType, header: string[]): ValidationError[] {
  const known = new Set(importFields[type].map(({ path }) => path));
  return [...new Set(header)]
    .filter((column) => !known.has(column))
    .map((column) => ({
      pointer: '',
      code: 'unknown_field',
      detail: `The column ${quoted(column)} does not match a field. Map it (--mapping), or rename it to one of ${[...known].join(', ')}.`,
    }));
}

function missingColumns(type: ImportType, fields: Record<string, FieldMapping>, header: string[]): ValidationError[] {
  return Object.entries(fields).flatMap(([path, { column }]) => {
    if (column === undefined || header.includes(column)) return [];
    const detail = `The header has no column ${quoted(column)}, which the mapping uses for ${mappedKinds[type]}, ${path}.`;
    return [{ pointer: '', code: 'not_found' as const, detail }];
  });
}

/** A header may be anything. */
function quoted(column: string): string {
  return JSON.stringify(column.length <= 100 ? column : `${column.slice(0, 100)}…`);
}
