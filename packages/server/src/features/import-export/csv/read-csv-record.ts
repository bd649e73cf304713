import type { ValidationError } from '../../../kernel/problem-details.ts';
import type { Registry } from '../../../kernel/registry.ts';
import { imageBytesMax } from '../../logos/logo.ts';
import type { SourceRecord } from '../source/source-record.ts';
import type { CsvFile } from './csv-input.ts';
import type { CsvPlan, PlannedField } from './csv-plan.ts';
import type { CsvRow } from './csv-rows.ts';
import { type CellValue, readCell, readConstant } from './read-cell.ts';

export interface CsvContext {
  registry: Registry;
  file: CsvFile;
  plan: CsvPlan;
  idNamespace: string | undefined;
}

/** The record of a row. A cell that cannot be read is left as it was given. */
export async function readCsvRecord(row: CsvRow, context: CsvContext): Promise<SourceRecord> {
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
  return [{ pointer: '', code: 'invalid_format', detail }];
}

function readField(
  { kind, mapping, at }: PlannedField,
  { cells, notUtf8 }: { cells: string[]; notUtf8: number[] },
  { registry, file, idNamespace }: CsvContext,
): CellValue | Promise<CellValue> {
  const context = { registry, kind, mapping, idNamespace };
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
