import { Command, InvalidArgumentError, Option } from 'commander';
import type { ImportSummary } from '../features/import-export/import-input.ts';
import { lineBytesMax } from '../features/import-export/import-record-schema.ts';
import { importRegistry } from '../features/import-export/import-registry.ts';
import type { Registry } from '../kernel/registry.ts';
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
The maximum line length is ${lineBytesMax} bytes; a longer line stops the import. Use /dev/stdin to read standard input.
Workspace and user ids are TypeIDs or bare UUIDs. If any line is invalid, nothing is imported, and each kind of error is
reported with its count and its first lines.

Updates: a line for an existing object updates it, so importing a file twice changes nothing. Developers are matched by
userId, apps by id, installations by id or, without one, by app and workspace. Names, texts, URLs and the logo are removed
if the line omits them; review status, "enabled" and times are unchanged.
Review: an app with "reviewStatus":"APPROVED" and no "approved" is approved with the content of its line. An app without
"reviewStatus" becomes a DRAFT. With --pending-as DRAFT, so does an app with "AWAITING_REVIEW"; "pendingAsDraft" counts
these lines. An app that already awaits review here stays in the queue.
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
