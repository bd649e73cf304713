import { Command } from 'commander';
import { schemaVersion } from '../storage/migrate.ts';
import { example } from './options.ts';
import { registryAction } from './registry-action.ts';

export function migrateCommand(): Command {
  return new Command('migrate')
    .description('Migrate the database schema to this version. Every other command does so too.')
    .addHelpText('after', example('app-registry migrate --database-url postgres://registry@db/registry'))
    .action(
      // `registryAction` has opened the database, which migrates it.
      registryAction(async ({ storage }) => ({ engine: storage.engine, schemaVersion: await schemaVersion(storage) })),
    );
}
