import { Command } from 'commander';
import { restoreDatabase } from '../storage/backup.ts';
import { example } from './options.ts';
import { configOf, printResult } from './registry-action.ts';

const restoreExplanation = `
Stop every server first: a database in use is not replaced. The previous database is renamed, and its new name printed.
A backup is rejected if it is damaged, or has a table, trigger, view or constraint that "migrate" would not create.
Every ETag issued before the restore becomes invalid.
`;

export function restoreCommand(): Command {
  return new Command('restore')
    .description('Replace a SQLite database with a backup.')
    .argument('<file>', 'a file created by "backup"')
    .addHelpText('after', restoreExplanation + example('app-registry restore /backups/registry-2026-03-01.db'))
    .action(async function action(this: Command, file: string) {
      const { replaced } = await restoreDatabase(configOf(this).databaseUrl, file, new Date());
      printResult(this, { file, ...(replaced !== null && { replaced }) });
    });
}
