import type { CsvFile } from '../../src/features/import-export/csv/csv-plan.ts';
import { type ImportField, importFields, mappedKinds } from '../../src/features/import-export/csv/import-mapping.ts';
import { importTypes } from '../../src/features/import-export/import-record-schema.ts';

/** A CSV file in memory, with images beside it by their names. */
export function csvFile(name: string, text: string | Uint8Array, beside: Record<string, Uint8Array> = {}): CsvFile {
  return {
    name,
    delimiter: ',',
    open: async function* open() {
      yield Buffer.from(text);
    },
    readBeside: async (path, bytesMax) => beside[path]?.subarray(0, bytesMax + 1) ?? null,
  };
}

/** The lines of a file in the format of an export, as CSV files with the names of all fields. */
export function csvFilesOf(lines: string): CsvFile[] {
  const records = lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
  return importTypes.map((type) => {
    const fields = importFields[type];
    const header = fields.map(({ path }) => path).join(',');
    const rows = records.filter((record) => record.type === type).map((record) => rowOf(record, fields));
    return csvFile(`${mappedKinds[type]}.csv`, [header, ...rows, ''].join('\r\n'));
  });
}

function rowOf(record: object, fields: ImportField[]): string {
  return fields.map(({ path }) => cellOf(valueAt(record, path.split('.')))).join(',');
}

function valueAt(record: object, names: string[]): unknown {
  return names.reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], record);
}

function cellOf(value: unknown): string {
  if (value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
