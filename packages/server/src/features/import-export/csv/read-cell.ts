import type { ValidationErrorCode } from '../../../kernel/problem-details.ts';
import type { Registry } from '../../../kernel/registry.ts';
import { readCellTime } from './cell-time.ts';
import type { FieldKind } from './import-fields.ts';
import type { FieldMapping } from './import-mapping.ts';
import { prefixOf, readLegacyId } from './legacy-id.ts';

/** The value of a field, undefined if it is absent; or what is wrong with its cell. */
export type CellValue = { value: unknown; error?: never } | { value?: never; error: [ValidationErrorCode, string] };

interface CellContext {
  registry: Registry;
  kind: FieldKind;
  mapping: FieldMapping;
  idNamespace: string | undefined;
}

/** Reads the cell of a field. An empty one is absent, unless the mapping gives it a value. */
export function readCell(cell: string, context: CellContext): CellValue {
  const { values } = context.mapping;
  if (values && Object.hasOwn(values, cell)) return readConstant(values[cell], context);
  if (cell === '') return { value: undefined };
  if (values) return { error: ['not_allowed', `The mapping of this column has no value for this cell.`] };
  return readText(cell, context);
}

/** A value of the mapping. Null leaves the field out. */
export function readConstant(value: unknown, context: CellContext): CellValue {
  if (value === null) return { value: undefined };
  return typeof value === 'string' && typeof context.kind === 'object' ? readText(value, context) : { value };
}

function readText(cell: string, { registry, kind, mapping, idNamespace }: CellContext): CellValue {
  if (typeof kind === 'object') {
    const value = readLegacyId(registry, cell, { ...kind, idKind: mapping.idKind, namespace: idNamespace });
    return value === null ? { error: ['invalid_format', notAnId(prefixOf(registry, kind.id))] } : { value };
  }
  switch (kind) {
    case 'text':
      return { value: cell };
    case 'time': {
      const { text, detail } = readCellTime(cell, mapping);
      return detail === undefined ? { value: text } : { error: ['invalid_format', detail] };
    }
    case 'boolean':
      if (cell !== 'true' && cell !== 'false') return { error: ['invalid_format', notBoolean] };
      return { value: cell === 'true' };
    case 'integer':
      if (!/^-?\d{1,15}$/.test(cell)) return { error: ['invalid_format', 'The value must be a whole number.'] };
      return { value: Number(cell) };
    case 'json':
      return readJson(cell);
  }
}

const notBoolean = 'The value must be true or false. Map other words with "values" in the mapping.';

function notAnId(prefix: string): string {
  return `The value must be a TypeID that starts with ${prefix}_, or a UUID. With an id namespace (--id-namespace), other ids become UUIDs.`;
}

function readJson(cell: string): CellValue {
  try {
    return { value: JSON.parse(cell) };
  } catch {
    return { error: ['invalid_format', 'The value must be a JSON array, such as ["revocation"].'] };
  }
}
