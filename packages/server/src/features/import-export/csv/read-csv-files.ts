import { Failure } from '../../../kernel/failure.ts';
import type { ValidationError } from '../../../kernel/problem-details.ts';
import type { Registry } from '../../../kernel/registry.ts';
import { type ImportErrorGroup, type ImportType, importTypes } from '../import-record-schema.ts';
import type { SourceRecord } from '../source/source-record.ts';
import type { CsvFile, CsvInput } from './csv-input.ts';
import { type CsvPlan, planCsv } from './csv-plan.ts';
import { type CsvRow, readCsvRows } from './csv-rows.ts';
import { type ImportMapping, mappedKinds } from './import-mapping.ts';
import { type CsvContext, readCsvRecord } from './read-csv-record.ts';
import { readMapping } from './read-mapping.ts';

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
  const { mapping, errors } = mappingOf(input);
  const files = input.files.map((file) => {
    return { file, type: typeOf(file, mapping), rows: readCsvRows(readChunks(file.open), file.delimiter) };
  });
  try {
    const contexts = new Map<ImportType, CsvContext & { rows: AsyncGenerator<CsvRow> }>();
    for (const { file, type, rows } of files) {
      const found: Awaited<ReturnType<typeof planOf>> =
        type === null ? { errors: [noKind] } : await planOf(type, rows, mapping);
      const repeated = type !== null && contexts.has(type) ? [secondOfKind(type)] : [];
      errors.push(...[...found.errors, ...repeated].map((error) => groupOf(file.name, error)));
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

function mappingOf({ mapping: given }: CsvInput): { mapping: ImportMapping; errors: ImportErrorGroup[] } {
  if (!given) return { mapping: {}, errors: [] };
  const { mapping, errors } = readMapping(given.text);
  return { mapping, errors: errors.map((error) => groupOf(given.name, error)) };
}

/** The type of the records of a file, by its name. */
function typeOf({ name }: CsvFile, mapping: ImportMapping): ImportType | null {
  const isOf = (type: ImportType) => {
    const kind = mappedKinds[type];
    const named = mapping[kind]?.file;
    return named === undefined ? name === `${kind}.csv` || name === `${kind}.tsv` : name === named;
  };
  return importTypes.find(isOf) ?? null;
}

async function planOf(
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
function groupOf(file: string, error: ValidationError): ImportErrorGroup {
  return { file, line: 1, ...error, count: 1, examples: [{ file, line: 1 }] };
}

const noKind: ValidationError = {
  pointer: '',
  code: 'not_allowed',
  detail: `The file name does not show what the file contains. Rename it to ${Object.values(mappedKinds).join('.csv, ')}.csv, or list the file in the mapping.`,
};

function secondOfKind(type: ImportType): ValidationError {
  return {
    pointer: '',
    code: 'already_exists',
    detail: `Another file already contains the ${mappedKinds[type]}. Merge the two files.`,
  };
}

const noHeader: ValidationError = {
  pointer: '',
  code: 'required',
  detail: 'The file must begin with a header line that names the columns.',
};

const headerNotUtf8: ValidationError = { pointer: '', code: 'invalid_format', detail: 'The header must be UTF-8.' };
