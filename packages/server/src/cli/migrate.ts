import { Command } from 'commander';
import { schemaVersion } from '../storage/migrate.ts';
import { example } from './options.ts';
import { registryAction } from './registry-action.ts';

export function migrateCommand(): Command {
  return new Command('migrate')
    .description('Bring the schema of the database up to this version. Every other command does so too.')
    .addHelpText('after', example('app-registry migrate --database-url postgres://registry@db/registry'))
    .action(
      // Opening the database has migrated it.
      registryAction(async ({ storage }) => ({ engine: storage.engine, schemaVersion: await schemaVersion(storage) })),
    );
}
