import { Failure } from '../../../kernel/failure.ts';
import { toTypeId, uuidV5 } from '../../../kernel/ids.ts';
import type { ValidationError, ValidationErrorCode } from '../../../kernel/problem-details.ts';
import type { Registry } from '../../../kernel/registry.ts';
import { imageBytesMax } from '../../logos/logo.ts';
import type { SourceRecord } from '../import-input.ts';
import { errorOfAll, type ImportErrorGroup, type ImportType, importTypes } from '../import-record-schema.ts';
import { readCellTime } from './cell-time.ts';
import { type CsvFile, type CsvInput, type CsvPlan, type PlannedField, planCsv, readMapping } from './csv-plan.ts';
import { type CsvRow, readCsvRows } from './csv-rows.ts';
import { type FieldKind, type FieldMapping, type IdKind, type ImportMapping, mappedKinds } from './import-mapping.ts';

type ReadChunks = (open: () => AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;

/**
 * Reads the records of CSV files, each kind of object after those that it refers to. First reads all headers: refuses with
 * all errors of the mapping and of the headers at once.
 */
export async function* readCsvFiles(
  registry: Registry,
  input: CsvInput,
  readChunks: ReadChunks,
): AsyncGenerator<SourceRecord> {
  const { mapping, errors } = givenMapping(input);
  const files = input.files.map((file) => {
    return { file, type: fileType(file, mapping), rows: readCsvRows(readChunks(file.open), file.delimiter) };
  });
  try {
    const contexts = new Map<ImportType, CsvContext & { rows: AsyncGenerator<CsvRow> }>();
    for (const { file, type, rows } of files) {
      const found: Awaited<ReturnType<typeof planRows>> =
        type === null ? { errors: [noKind] } : await planRows(type, rows, mapping);
      const repeated = type !== null && contexts.has(type) ? [secondOfKind(type)] : [];
      errors.push(...[...found.errors, ...repeated].map((error) => fileError(file.name, error)));
      if (type !== null && found.plan) {
        contexts.set(type, { registry, file, plan: found.plan, idNamespace: input.idNamespace, rows });
      }
    }
    if (errors.length > 0) throw new Failure('invalid_content', unplanned, errors);
    for (const type of importTypes) {
      const context = contexts.get(type);
      for await (const row of context?.rows ?? []) {
        if (!context) continue;
        yield await readCsvRecord(row, context);
        if (row.error) return;
      }
    }
  } finally {
    for (const { rows } of files) await rows.return(undefined);
  }
}

const unplanned = 'The mapping, the file names or the headers have errors. Nothing was changed.';

function givenMapping({ mapping: given }: CsvInput): { mapping: ImportMapping; errors: ImportErrorGroup[] } {
  if (!given) return { mapping: {}, errors: [] };
  const { mapping, errors } = readMapping(given.text);
  return { mapping, errors: errors.map((error) => fileError(given.name, error)) };
}

/** The type of the records of a file, by its name. */
function fileType({ name }: CsvFile, mapping: ImportMapping): ImportType | null {
  const isOf = (type: ImportType) => {
    const kind = mappedKinds[type];
    const named = mapping[kind]?.file;
    return named === undefined ? name === `${kind}.csv` || name === `${kind}.tsv` : name === named;
  };
  return importTypes.find(isOf) ?? null;
}

async function planRows(
  type: ImportType,
  rows: AsyncGenerator<CsvRow>,
  mapping: ImportMapping,
): Promise<{ plan?: CsvPlan; errors: ValidationError[] }> {
  const { value: header } = await rows.next();
  if (!header) return { errors: [noHeader] };
  if (header.error) return { errors: [header.error] };
  if (header.notUtf8.length > 0) return { errors: [headerNotUtf8] };
  return planCsv(type, header.cells, mapping);
}

/** An error of a file as a whole. */
function fileError(file: string, error: ValidationError): ImportErrorGroup {
  return { file, line: 1, ...error, count: 1, examples: [{ file, line: 1 }] };
}

const noKind = errorOfAll(
  'not_allowed',
  `The file name does not show what the file contains. Rename it to ${Object.values(mappedKinds).join('.csv, ')}.csv, or list the file in the mapping.`,
);
const noHeader = errorOfAll('required', 'The file must begin with a header line that names the columns.');
const headerNotUtf8 = errorOfAll('invalid_format', 'The header must be UTF-8.');

function secondOfKind(type: ImportType): ValidationError {
  return errorOfAll('already_exists', `Another file already contains the ${mappedKinds[type]}. Merge the two files.`);
}

interface CsvContext {
  registry: Registry;
  file: CsvFile;
  plan: CsvPlan;
  idNamespace: string | undefined;
}

/** The record of a row. A cell that cannot be read is left as it was given. */
async function readCsvRecord(row: CsvRow, context: CsvContext): Promise<SourceRecord> {
  const { plan, file } = context;
  const base = { line: row.line, file: file.name, type: plan.type, isOnly: true };
  if (row.error) return { ...base, value: undefined, errors: [row.error], bytes: 0, isLast: true };

  const { cells } = row;
  const record: Record<string, unknown> = { type: plan.type };
  const errors = rowErrors(row, plan);
  for (const field of plan.fields) {
    const given = readField(field, row, context);
    // Only an image takes time; millions of cells do not wait.
    const read = given instanceof Promise ? await given : given;
    put(record, field.names, read.error ? cells[field.at ?? -1] : read.value);
    if (read.error) errors.push({ pointer: field.pointer, code: read.error[0], detail: read.error[1] });
  }
  return {
    ...base,
    value: record,
    errors,
    bytes: cells.reduce((sum, cell) => sum + cell.length + 1, 0),
    columns: plan.columns,
    cellOf: (pointer) => cells[plan.fields.find((field) => field.pointer === pointer)?.at ?? -1],
  };
}

/** Cells that are too many or missing make all of them doubtful. */
function rowErrors({ cells }: { cells: string[] }, { width }: CsvPlan): ValidationError[] {
  if (cells.length === width) return [];
  const detail = `The row must have as many cells as the header, which has ${width}. A cell with a delimiter or a line break needs quotes.`;
  return [errorOfAll('invalid_format', detail)];
}

function readField(
  { kind, mapping, at }: PlannedField,
  { cells, notUtf8 }: { cells: string[]; notUtf8: number[] },
  { registry, file, idNamespace, plan }: CsvContext,
): CellValue | Promise<CellValue> {
  const context = { registry, kind, mapping, idNamespace, noValue: plan.noValue };
  if (at === null) return readConstant(mapping.constant, context);
  if (notUtf8.includes(at)) return { error: ['invalid_format', 'The value must be UTF-8.'] };
  const read = readCell(cells[at] ?? '', context);
  return mapping.isPath && typeof read.value === 'string' ? readImage(read.value, file) : read;
}

async function readImage(path: string, { readBeside }: CsvFile): Promise<CellValue> {
  const bytes = await readBeside(path, imageBytesMax);
  if (!bytes) return { error: ['not_found', 'The folder of the CSV file has no readable file with this name.'] };
  if (bytes.length > imageBytesMax)
    return { error: ['too_long', `The image must have at most ${imageBytesMax} bytes.`] };
  return { value: Buffer.from(bytes).toString('base64') };
}

function put(record: Record<string, unknown>, names: string[], value: unknown): void {
  if (value === undefined) return;
  const [name = '', ...inside] = names;
  if (inside.length === 0) record[name] = value;
  else {
    record[name] ??= {};
    put(record[name] as Record<string, unknown>, inside, value);
  }
}

/** The value of a field, undefined if it is absent; or what is wrong with its cell. */
type CellValue = { value: unknown; error?: never } | { value?: never; error: [ValidationErrorCode, string] };

interface CellContext {
  registry: Registry;
  kind: FieldKind;
  mapping: FieldMapping;
  idNamespace: string | undefined;
  noValue: string[];
}

/** Reads the cell of a field. An empty one and a marker are absent, unless the mapping gives them a value. */
function readCell(cell: string, context: CellContext): CellValue {
  const { values } = context.mapping;
  if (values && Object.hasOwn(values, cell)) return readConstant(values[cell], context);
  if (cell === '' || context.noValue.includes(cell)) return { value: undefined };
  if (values) return { error: ['not_allowed', `The mapping of this column has no value for this cell.`] };
  return readText(cell, context);
}

/** A value of the mapping. Null leaves the field out. */
function readConstant(value: unknown, context: CellContext): CellValue {
  if (value === null) return { value: undefined };
  return typeof value === 'string' && typeof context.kind === 'object' ? readText(value, context) : { value };
}

function readText(cell: string, { registry, kind, mapping, idNamespace }: CellContext): CellValue {
  if (typeof kind === 'object') {
    const value = readLegacyId(registry, cell, { ...kind, idKind: mapping.idKind, namespace: idNamespace });
    return value === null ? { error: ['invalid_format', notAnId(idPrefix(registry, kind.id))] } : { value };
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

/**
 * The id of a cell: a TypeID or a UUID as it is. Any other id becomes the UUIDv5 whose name is the kind of the object, a
 * colon and the cell, such as `app:42`, so that the platform can compute it. Null without a namespace.
 */
function readLegacyId(
  registry: Registry,
  cell: string,
  { id, idKind = id, namespace }: { id: IdKind; idKind?: string | undefined; namespace: string | undefined },
): string | null {
  if (toTypeId(cell, idPrefix(registry, id)) !== null) return cell;
  return namespace === undefined ? null : uuidV5(namespace, `${idKind}:${cell}`);
}

function idPrefix(registry: Registry, id: IdKind): string {
  if (id === 'user') return registry.userIdPrefix;
  return id === 'workspace' ? registry.workspaceIdPrefix : id;
}
