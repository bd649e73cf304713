import { type FileHandle, realpath, rm, stat } from 'node:fs/promises';
import { basename, dirname, extname, isAbsolute, join, normalize, sep } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { CsvFile } from '../../features/import-export/csv/csv-plan.ts';
import type { ImportSource, ImportSummary, Rejects } from '../../features/import-export/import-input.ts';
import { lineBytesMax } from '../../features/import-export/import-record-schema.ts';
import { importRegistry } from '../../features/import-export/import-registry.ts';
import { createPart, linkTarget, publishPart } from '../../files/private-files.ts';
import { fileText } from '../../files/text-file.ts';
import type { Registry } from '../../kernel/registry.ts';
import { fileExists, inputBytes, openerOf, readInput } from '../command-files.ts';
import { changeOptions, example, wholeNumber } from '../command-options.ts';
import { CannotWrite, errorCode, RecordsRefused } from '../command-problems.ts';
import { importProgress } from '../progress-line.ts';
import { type Invocation, registryAction } from '../registry-action.ts';

interface Options extends FileOptions {
  dryRun?: boolean;
  pendingAs?: 'DRAFT';
  deliverEvents?: boolean;
  rejects?: string;
  batch?: number | true;
}

const recordsPerStepDefault = 5_000;

const explanation = `
FILE holds one JSON object per line: developers, logos, apps and installations, each after the objects it refers to.
  {"type":"developer","userId":"user_…","email":"ada@example.com"}
  {"type":"app","id":"app_…","developerId":"user_…","name":"Invoice Sync","createdAt":"2026-03-01T09:30:00.000Z","reviewStatus":"APPROVED"}
  {"type":"installation","appId":"app_…","workspaceId":"workspace_…","userId":"user_…","createdAt":"2026-03-02T11:00:00.000Z"}
The maximum line length is ${lineBytesMax} bytes; a longer line stops the import. Use /dev/stdin to read standard input.
Workspace and user ids are TypeIDs or bare UUIDs. If any line is invalid, nothing is imported, and each kind of error is
reported with its count and its first lines.

Updates: a line for an existing object updates it, so importing a file twice changes nothing. Developers are matched by
userId, apps by id, installations by id or, without one, by app and workspace. Names, texts, URLs and the logo are removed
if the line omits them; review status, "enabled" and times are unchanged.
Review: an app with "reviewStatus":"APPROVED" and no "approved" is approved with the content of its line. A new app
without "reviewStatus" becomes a DRAFT; an existing one keeps its status. With --pending-as DRAFT, an app with
"AWAITING_REVIEW" becomes a DRAFT too; "pendingAsDraft" counts these lines. An app that already awaits review here stays
in the queue.
Events: each change is recorded as an event. Webhooks receive these events only with --deliver-events.
An app with "deletedAt" can be restored for 30 days from then. An installation with "enabled":false and
"disabledBy":["revocation"] is enabled by the next approval of its app. A developer who was erased or suspended here, or a
logo that was blocked here, stays so.

CSV: give a file for each kind of object, in any order: developers.csv, logos.csv, apps.csv, installations.csv (or .tsv).
The header holds field names, such as listingInfo.shortDescription; an empty cell is an absent field. --mapping names a
JSON file for other file and column names, constants, status names and local times. See docs/migrating.md.
With --rejects, invalid records are written to a new file as JSON Lines, each with its errors, and the exit status is 3:
correct the file and import it. With --batch, run the same command again after an interruption: records that were already
imported are unchanged.
`;

export function importCommand(): Command {
  const command = new Command('import')
    .description(
      'Import developers, logos, apps and installations with their history from JSON Lines or CSV. Imports all or nothing, unless --rejects or --batch is given.',
    )
    .argument('<file...>', 'one JSON Lines file, or one CSV file for each kind of object')
    .option('--dry-run', 'report every error and import nothing')
    .option('--mapping <file>', 'a JSON file that maps CSV columns to fields (docs/import-mapping.schema.json)')
    .option(
      '--id-namespace <uuid>',
      'convert CSV ids that are neither TypeIDs nor UUIDs to UUIDv5 in this namespace',
      namespace,
    )
    .option('--delimiter <character>', 'the separator in CSV files: , ; | or tab', delimiter)
    .option('--rejects <file>', 'write invalid records to this new file and import the rest')
    .addOption(
      new Option(
        '--batch [records]',
        `commit every this many records (default: ${recordsPerStepDefault}) instead of once`,
      ).argParser(recordsPerStep),
    )
    .addOption(
      new Option(
        '--pending-as <status>',
        'import apps that await review as drafts, so that they do not enter the review queue',
      ).choices(['DRAFT']),
    )
    .option('--deliver-events', 'deliver the events of the import to webhooks; by default they are only recorded');
  return changeOptions(command)
    .addHelpText(
      'after',
      explanation +
        example(
          'app-registry import registry.jsonl --dry-run',
          'app-registry import apps.csv developers.csv installations.csv --mapping mapping.json --rejects rejects.jsonl',
        ),
    )
    .action(async function action(this: Command) {
      let refused: ImportSummary['refused'];
      const importAll = async (registry: Registry, invocation: Invocation<Options>) => {
        const { refused: ofImport, ...imported } = await runImport(registry, invocation);
        refused = ofImport;
        const { dryRun = false } = invocation.options;
        return { dryRun, ...imported, ...(refused && { refused: refused.records }) };
      };
      await registryAction(importAll, { create: true }).call(this);
      if (refused && refused.records > 0) throw recordsRefused(this.opts<Options>(), refused);
    });
}

async function runImport(registry: Registry, { command, args, options, caller }: Invocation<Options>) {
  const { dryRun = false, deliverEvents = false, pendingAs, batch } = options;
  const { source, bytes } = await importFiles(command, args, options);
  const rejects = options.rejects === undefined ? undefined : new RejectsFile(options.rejects);
  const progress = importProgress(bytes);
  try {
    const imported = await importRegistry(registry, caller, {
      ...{ ...source, dryRun, deliverEvents, onProgress: progress.show },
      ...(pendingAs && { pendingAs }),
      ...(rejects && { rejects }),
      ...(batch !== undefined && { recordsPerStep: batch === true ? recordsPerStepDefault : batch }),
    });
    await rejects?.finish();
    return imported;
  } finally {
    progress.end();
    await rejects?.close();
  }
}

function recordsRefused({ rejects, dryRun }: Options, { records, errors }: NonNullable<ImportSummary['refused']>) {
  const outcome = dryRun ? 'Nothing was changed.' : 'All other records were imported.';
  const count = records === 1 ? 'One record was' : `${records} records were`;
  const message = `${count} rejected and written to ${rejects}. ${outcome} Correct that file and import it.`;
  return new RecordsRefused(message, errors);
}

function namespace(text: string): string {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return text;
  throw new InvalidArgumentError('It must be a UUID. Keep it: the platform computes the same ids with it.');
}

function delimiter(text: string): string {
  const character = text === 'tab' ? '\t' : text;
  if ([',', ';', '|', '\t'].includes(character)) return character;
  throw new InvalidArgumentError('It must be , ; | or tab.');
}

function recordsPerStep(text: string): number {
  const records = wholeNumber(text);
  if (records >= 1 && records <= 100_000) return records;
  throw new InvalidArgumentError('It must be a whole number from 1 to 100000.');
}

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
  return { name: basename(file), text: fileText(bytes) };
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

/**
 * The file of refused records. It is there once an import has ended that has refused some: complete and synced to disk. An
 * existing file is never overwritten. Only the owner may read it. Its methods throw `CannotWrite`.
 */
export class RejectsFile implements Rejects {
  readonly #file: string;
  #handle: FileHandle | undefined;
  #bytes = 0;

  constructor(file: string) {
    this.#file = file;
  }

  async begin(): Promise<void> {
    if (await fileExists(this.#file)) {
      throw new CannotWrite(`The file ${this.#file} already exists and is not overwritten. Choose another name.`);
    }
    await this.#handle?.close();
    this.#handle = await this.#orCannotWrite(() => createPart(this.#part));
    this.#bytes = 0;
  }

  async write(lines: string): Promise<void> {
    this.#bytes += lines.length;
    await this.#orCannotWrite(async () => this.#handle?.appendFile(lines));
  }

  /** Call it after the import was committed. */
  async finish(): Promise<void> {
    if (this.#bytes === 0) return;
    await this.#orCannotWrite(async () => {
      await this.#handle?.sync();
      await publishPart(this.#part, this.#file);
    });
  }

  /** Call it at the end of any import. */
  async close(): Promise<void> {
    if (!this.#handle) return;
    await this.#handle.close();
    await rm(this.#part, { force: true });
  }

  /** Where it is written until it is complete. What a killed process has left there is overwritten. */
  get #part(): string {
    return `${linkTarget(this.#file)}.part`;
  }

  async #orCannotWrite<Result>(write: () => Promise<Result>): Promise<Result> {
    try {
      return await write();
    } catch (error) {
      throw new CannotWrite(`The file ${this.#file} cannot be written: ${errorCode(error)}.`);
    }
  }
}
