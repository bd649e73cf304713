import { Command } from 'commander';
import { backupDatabase } from '../storage/backup.ts';
import { example } from './options.ts';
import { configOf, tellResult } from './registry-action.ts';

export function backupCommand(): Command {
  return new Command('backup')
    .description('Copy a SQLite database, with everything in it, into a new file; also while a server uses it.')
    .argument('<file>', 'the file to make; one that exists is not overwritten')
    .addHelpText('after', example('app-registry backup /backups/registry-2026-03-01.db'))
    .action(async function action(this: Command, file: string) {
      await backupDatabase(configOf(this).databaseUrl, file, new Date());
      tellResult(this, { file });
    });
}
