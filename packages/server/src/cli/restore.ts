import { Command } from 'commander';
import { restoreDatabase } from '../storage/backup.ts';
import { example } from './options.ts';
import { configOf, tellResult } from './registry-action.ts';

const explanation = `
Stop every server first: a database that is in use is not replaced. What was there is kept beside it, under the
name that is printed. No ETag that was given before is ever confirmed by the restored registry.
`;

export function restoreCommand(): Command {
  return new Command('restore')
    .description('Put a backup in the place of a SQLite database.')
    .argument('<file>', 'a file that "backup" has made')
    .addHelpText('after', explanation + example('app-registry restore /backups/registry-2026-03-01.db'))
    .action(async function action(this: Command, file: string) {
      const { replaced } = await restoreDatabase(configOf(this).databaseUrl, file, new Date());
      tellResult(this, { file, ...(replaced !== null && { replaced }) });
    });
}
