import { Command, InvalidArgumentError, Option } from 'commander';
import { lineBytesMax } from '../contract/import-record.ts';
import { importRegistry } from '../registry/import-export/import-registry.ts';
import type { ImportSummary } from '../registry/import-export/import-summary.ts';
import type { Registry } from '../registry/registry.ts';
import { changeOptions } from './change-options.ts';
import { type FileOptions, importFiles } from './import/import-files.ts';
import { RecordsRefused } from './import/records-refused.ts';
import { RejectsFile } from './import/rejects-file.ts';
import { example, wholeNumber } from './options.ts';
import { importProgress } from './progress/import-progress.ts';
import { creatingRegistryAction, type Invocation } from './registry-action.ts';

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
A line has at most ${lineBytesMax} bytes: a longer one ends the import. Use /dev/stdin to read from another program.
Workspace and user ids are TypeIDs or bare UUIDs. If any line is invalid, every kind of error is reported with its
number and its first lines, and nothing is imported.
A line updates the object that exists already, so importing a file twice changes nothing. A developer is found by
userId, an app by id, an installation by id, or by app and workspace if its line has no id. Names, texts, URLs and
the logo are removed if the line omits them; review status, "enabled" and times are unchanged.
An app with "reviewStatus":"APPROVED" and without "approved" is approved with the content of its line. One without
"reviewStatus" starts as a DRAFT. With --pending-as DRAFT, so does one with "AWAITING_REVIEW", and "pendingAsDraft"
counts these lines. An app that awaits review here stays in the queue.
Each change is recorded as an event. Webhooks receive the events only with --deliver-events, and not later.
An app with "deletedAt" can be restored for 30 days from then. An installation with "enabled":false and
"disabledBy":["revocation"] is enabled by the next approval of its app. A developer who was erased or suspended here
stays so, and a logo that was blocked here stays blocked.

CSV: give a file of each kind, in any order: developers.csv, logos.csv, apps.csv, installations.csv (or .tsv). The header
has the names of the fields, such as listingInfo.shortDescription; an empty cell is an absent field. --mapping names a
JSON file for other names of files and columns, constants, words of a status and local times. --id-namespace turns ids
that are neither TypeIDs nor UUIDs into UUIDv5. docs/migrating.md shows all of it.
--rejects imports the records without errors and writes the others to a new file, as JSON Lines, each with its errors:
correct and import that. Then the exit status is 3. --batch commits every ${recordsPerStepDefault} records, or as many as it says, instead of
once. Run the same command again after an interruption: what is imported is unchanged.
`;

export function importCommand(): Command {
  const command = new Command('import')
    .description(
      'Import developers, logos, apps and installations with their history, from JSON Lines or CSV: completely or not at all, unless --rejects or --batch is given.',
    )
    .argument('<file...>', 'a file in JSON Lines, or CSV files, one for each kind')
    .option('--dry-run', 'report every error and import nothing')
    .option('--mapping <file>', 'what the columns of CSV files mean, as JSON (docs/import-mapping.schema.json)')
    .option('--id-namespace <uuid>', 'make UUIDv5 in this namespace of the other ids in CSV files', namespace)
    .option('--delimiter <character>', 'what separates the cells of CSV files: , ; | or tab', delimiter)
    .option('--rejects <file>', 'import the rest, and create this file with the records that have errors')
    .addOption(new Option('--batch [records]', 'commit in steps of so many records').argParser(recordsPerStep))
    .addOption(
      new Option(
        '--pending-as <status>',
        'store apps that await review in the file as drafts, so that they do not enter the review queue',
      ).choices(['DRAFT']),
    )
    .option('--deliver-events', 'deliver the events of the import to webhooks; without it they are only recorded');
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
      await creatingRegistryAction<Options>(async (registry, invocation) => {
        const { refused: ofImport, ...imported } = await runImport(registry, invocation);
        refused = ofImport;
        const { dryRun = false } = invocation.options;
        return { dryRun, ...imported, ...(refused && { refused: refused.records }) };
      }).call(this);
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
  const outcome = dryRun ? 'Nothing was changed.' : 'All others are imported.';
  const count = records === 1 ? 'One record was' : `${records} records were`;
  const message = `${count} refused and written to ${rejects}. ${outcome} Correct that file and import it.`;
  return new RecordsRefused(message, errors);
}

function namespace(text: string): string {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return text;
  throw new InvalidArgumentError('Write a UUID, and keep it: the platform computes the same ids with it.');
}

function delimiter(text: string): string {
  const character = text === 'tab' ? '\t' : text;
  if ([',', ';', '|', '\t'].includes(character)) return character;
  throw new InvalidArgumentError('Write , ; | or tab.');
}

function recordsPerStep(text: string): number {
  const records = wholeNumber(text);
  if (records >= 1 && records <= 100_000) return records;
  throw new InvalidArgumentError('Write a whole number from 1 to 100000.');
}
