import { Command } from 'commander';
import { schemaVersion } from '../storage/schema-version.ts';
import { example } from './options.ts';
import { creatingRegistryAction } from './registry-action.ts';

export function migrateCommand(): Command {
  return new Command('migrate')
    .description('Create a registry, or migrate its schema to this version. Every other command migrates too.')
    .addHelpText('after', example('app-registry migrate --database-url postgres://registry@db/registry'))
    .action(
      // `creatingRegistryAction` has opened the database, which migrates it.
      creatingRegistryAction(
        async ({ storage }) => ({
          engine: storage.engine,
          schemaVersion: await schemaVersion(storage),
        }),
        { showsSteps: true },
      ),
    );
}
