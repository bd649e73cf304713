import { Command } from 'commander';
import { importRegistry } from '../registry/import-export/import-registry.ts';
import { commandLine } from '../registry/registry.ts';
import { example } from './options.ts';
import { progressBar } from './progress-bar.ts';
import { inputBytes, inputPieces } from './read-input.ts';
import { registryAction } from './registry-action.ts';

const explanation = `
FILE holds one JSON object a line: developers, logos, apps and installations, each after what it refers to.
  {"type":"developer","userId":"user_…","email":"ada@example.com"}
  {"type":"app","id":"app_…","developerId":"user_…","name":"Invoice Sync","createdAt":"2026-03-01T09:30:00.000Z","reviewStatus":"APPROVED"}
  {"type":"installation","appId":"app_…","workspaceId":"workspace_…","userId":"user_…","createdAt":"2026-03-02T11:00:00.000Z"}
Workspace and user ids are TypeIDs or bare UUIDs. Every fault is told with its line, and then nothing is imported.
An object that exists becomes what its line tells, so the same file twice changes nothing: a developer by
userId, an app by id, an installation by id, or by app and workspace when its line has no id. What a line leaves
out of names, texts, addresses and the logo is removed; review status, "enabled" and times stay as they are.
An app with "deletedAt" is one that can be restored for 30 days from then. An installation with "enabled":false and
"untilApproved":true is enabled by the next approval of its app. A developer who was erased here stays erased.
`;

export function importCommand(): Command {
  return new Command('import')
    .description('Import developers, logos, apps and installations with their history: all of a file, or nothing.')
    .argument('<file>', 'a file in JSON Lines')
    .option('--dry-run', 'find every fault and import nothing')
    .addHelpText('after', explanation + example('app-registry import registry.jsonl --dry-run'))
    .action(
      registryAction<{ dryRun?: boolean }>(async (registry, { args: [file = ''], options: { dryRun = false } }) => {
        const bar = progressBar(await inputBytes(file));
        try {
          const imported = await importRegistry(registry, commandLine, {
            open: () => inputPieces(file),
            dryRun,
            onProgress: bar.show,
          });
          return { dryRun, ...imported };
        } finally {
          bar.end();
        }
      }),
    );
}
