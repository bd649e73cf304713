import { Command, Option } from 'commander';
import { lineBytesMax } from '../contract/import-record.ts';
import { importRegistry } from '../registry/import-export/import-registry.ts';
import { changeOptions } from './change-options.ts';
import { example } from './options.ts';
import { progressBar } from './progress/progress-bar.ts';
import { inputBytes, openerOf } from './read-input.ts';
import { creatingRegistryAction } from './registry-action.ts';

interface Options {
  dryRun?: boolean;
  pendingAs?: 'DRAFT';
  deliverEvents?: boolean;
}

const explanation = `
FILE holds one JSON object per line: developers, logos, apps and installations, each after the objects it refers to.
  {"type":"developer","userId":"user_…","email":"ada@example.com"}
  {"type":"app","id":"app_…","developerId":"user_…","name":"Invoice Sync","createdAt":"2026-03-01T09:30:00.000Z","reviewStatus":"APPROVED"}
  {"type":"installation","appId":"app_…","workspaceId":"workspace_…","userId":"user_…","createdAt":"2026-03-02T11:00:00.000Z"}
A line has at most ${lineBytesMax} bytes: a longer one ends the import. Use /dev/stdin to read from another program.
Workspace and user ids are TypeIDs or bare UUIDs. If any line is invalid, every error is reported with its line and
nothing is imported.
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
`;

export function importCommand(): Command {
  const command = new Command('import')
    .description(
      'Import developers, logos, apps and installations with their history. A file is imported completely or not at all.',
    )
    .argument('<file>', 'a file in JSON Lines')
    .option('--dry-run', 'report every error and import nothing')
    .addOption(
      new Option(
        '--pending-as <status>',
        'store apps that await review in the file as drafts, so that they do not enter the review queue',
      ).choices(['DRAFT']),
    )
    .option('--deliver-events', 'deliver the events of the import to webhooks; without it they are only recorded');
  return changeOptions(command)
    .addHelpText('after', explanation + example('app-registry import registry.jsonl --dry-run'))
    .action(
      creatingRegistryAction<Options>(
        async (
          registry,
          { args: [file = ''], options: { dryRun = false, deliverEvents = false, pendingAs }, caller },
        ) => {
          const bar = progressBar(await inputBytes(file));
          try {
            const imported = await importRegistry(registry, caller, {
              open: openerOf(file),
              dryRun,
              deliverEvents,
              ...(pendingAs && { pendingAs }),
              onProgress: bar.show,
            });
            return { dryRun, ...imported };
          } finally {
            bar.end();
          }
        },
      ),
    );
}
