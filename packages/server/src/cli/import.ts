import { Command } from 'commander';
import { lineBytesMax } from '../contract/import-record.ts';
import { importRegistry } from '../registry/import-export/import-registry.ts';
import { changeOptions } from './change-options.ts';
import { example } from './options.ts';
import { progressBar } from './progress-bar.ts';
import { inputBytes, openerOf } from './read-input.ts';
import { creatingRegistryAction } from './registry-action.ts';

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
An app with "deletedAt" can be restored for 30 days from then. An installation with "enabled":false and
"untilApproved":true is enabled by the next approval of its app. A developer who was erased here stays erased.
`;

export function importCommand(): Command {
  const command = new Command('import')
    .description(
      'Import developers, logos, apps and installations with their history. A file is imported completely or not at all.',
    )
    .argument('<file>', 'a file in JSON Lines')
    .option('--dry-run', 'report every error and import nothing');
  return changeOptions(command)
    .addHelpText('after', explanation + example('app-registry import registry.jsonl --dry-run'))
    .action(
      creatingRegistryAction<{ dryRun?: boolean }>(
        async (registry, { args: [file = ''], options: { dryRun = false }, caller }) => {
          const bar = progressBar(await inputBytes(file));
          try {
            const imported = await importRegistry(registry, caller, {
              open: openerOf(file),
              dryRun,
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
