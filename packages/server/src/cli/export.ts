import { Command } from 'commander';
import { exportRegistry } from '../registry/import-export/export-registry.ts';
import { example } from './options.ts';
import { configOf, tellResult, withRegistry } from './registry-action.ts';
import { writeNewFile, writeOutput } from './write-output.ts';

const explanation = `
Writes one JSON object a line, as "import" takes them: developers, logos, apps and installations, with their ids,
times, review and what was approved, and the deleted apps that can be restored. Tokens and events are no part of
it: "backup" keeps those.
The same registry gives the same bytes, on SQLite and on PostgreSQL. A FILE that exists is not overwritten.
`;

export function exportCommand(): Command {
  return new Command('export')
    .description('Export the registry, as it is at one moment, as JSON Lines.')
    .argument('[file]', 'the file to make (default: standard output)')
    .addHelpText('after', explanation + example('app-registry export registry.jsonl'))
    .action(async function action(this: Command, file?: string) {
      await withRegistry(configOf(this), async (registry) => {
        if (file === undefined) {
          await writeOutput(this, (write) => exportRegistry(registry, write));
          return;
        }
        tellResult(this, { file, ...(await writeNewFile(file, (write) => exportRegistry(registry, write))) });
      });
    });
}
