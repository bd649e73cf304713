import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, extname, isAbsolute, join, normalize, sep } from 'node:path';
import type { Command } from 'commander';
import type { CsvFile } from '../../features/import-export/csv/csv-plan.ts';
import type { ImportSource } from '../../features/import-export/import-input.ts';
import { inputBytes, openerOf, readInput } from '../read-input.ts';

/** Larger than any mapping. */
const mappingBytesMax = 1_000_000;

export interface FileOptions {
  mapping?: string;
  idNamespace?: string;
  delimiter?: string;
}

/** The files of an import as it reads them, and how many bytes they have together. Throws `CannotRead`. */
export async function importFiles(
  command: Command,
  files: string[],
  options: FileOptions,
): Promise<{ source: ImportSource; bytes: number }> {
  const sizes = await Promise.all(files.map((file) => inputBytes(file)));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  if (options.mapping !== undefined || files.some(isCsv)) return { source: await csvSource(files, options), bytes };
  const [file = '', ...others] = files;
  if (others.length > 0) command.error('error: only CSV files can be imported together: name them *.csv or *.tsv');
  if (options.idNamespace !== undefined || options.delimiter !== undefined) {
    command.error('error: --id-namespace and --delimiter apply to CSV files only: name the files *.csv or *.tsv');
  }
  return { source: { open: openerOf(file) }, bytes };
}

function isCsv(file: string): boolean {
  return ['.csv', '.tsv'].includes(extname(file));
}

async function csvSource(files: string[], { mapping, idNamespace, delimiter }: FileOptions): Promise<ImportSource> {
  return {
    csv: {
      files: files.map((file) => csvFile(file, delimiter)),
      ...(mapping !== undefined && { mapping: await readMappingFile(mapping) }),
      ...(idNamespace !== undefined && { idNamespace }),
    },
  };
}

async function readMappingFile(file: string) {
  const bytes = await readInput(file, mappingBytesMax);
  return { name: basename(file), text: Buffer.from(bytes).toString() };
}

function csvFile(file: string, delimiter: string | undefined): CsvFile {
  return {
    name: basename(file),
    delimiter: delimiter ?? (extname(file) === '.tsv' ? '\t' : ','),
    open: openerOf(file),
    readBeside: (path, bytesMax) => readBeside(dirname(file), path, bytesMax),
  };
}

/** Reads no file outside of the folder: a file of CSV may come from anyone. */
async function readBeside(folder: string, path: string, bytesMax: number): Promise<Uint8Array | null> {
  const inside = normalize(path);
  if (isAbsolute(inside) || inside === '..' || inside.startsWith(`..${sep}`) || inside.includes('\0')) return null;
  try {
    const [root, file] = await Promise.all([realpath(folder), realpath(join(folder, inside))]);
    if (!file.startsWith(root + sep) || !(await stat(file)).isFile()) return null;
    return await readInput(file, bytesMax);
  } catch {
    return null;
  }
}
