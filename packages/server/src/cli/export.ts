import { Command } from 'commander';
import { exportRegistry } from '../features/import-export/export-registry.ts';
import type { Registry } from '../kernel/registry.ts';
import { example } from './options.ts';
import { objectProgress } from './progress/object-progress.ts';
import { configOf, printResult, withRegistry } from './registry-action.ts';
import { writeNewFile, writeOutput } from './write-output.ts';

const exportExplanation = `
Writes one JSON object per line, in the format of "import": developers, logos, apps and installations, with their ids,
times, review status and approved content, and the deleted apps that can be restored. Tokens and events are not
included: use "backup" to save those.
The same registry produces identical output on SQLite and PostgreSQL. An existing FILE is not overwritten.
`;

export function exportCommand(): Command {
  return new Command('export')
    .description('Export a consistent snapshot of the registry as JSON Lines.')
    .argument('[file]', 'the file to create (default: standard output)')
    .addHelpText('after', exportExplanation + example('app-registry export registry.jsonl'))
    .action(async function action(this: Command, file?: string) {
      await withRegistry(configOf(this), async (registry) => {
        if (file === undefined) {
          await writeOutput(this, (write) => exported(registry, write, { isShown: !process.stdout.isTTY }));
          return;
        }
        const summary = await writeNewFile(file, (write) => exported(registry, write, { isShown: true }));
        printResult(this, { file, ...summary });
      });
    });
}

/** A terminal that shows the lines themselves shows no progress. */
async function exported(
  registry: Registry,
  write: (lines: string) => Promise<void>,
  { isShown }: { isShown: boolean },
) {
  const progress = objectProgress('export');
  try {
    return await exportRegistry(registry, write, { ...(isShown && { onProgress: progress.show }) });
  } finally {
    if (isShown) progress.end();
  }
}
