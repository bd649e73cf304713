import { Command } from 'commander';
import { backupDatabase } from '../storage/backup.ts';
import { example } from './options.ts';
import { configOf, printResult } from './registry-action.ts';

export function backupCommand(): Command {
  return new Command('backup')
    .description('Copy a SQLite database to a new file. Safe while a server is running.')
    .argument('<file>', 'the file to create; an existing file is not overwritten')
    .addHelpText('after', example('app-registry backup /backups/registry-2026-03-01.db'))
    .action(async function action(this: Command, file: string) {
      await backupDatabase(configOf(this).databaseUrl, file, new Date());
      printResult(this, { file });
    });
}
