import { Command } from 'commander';
import { schemaVersion } from '../storage/schema-version.ts';
import { example } from './options.ts';
import { creatingRegistryAction } from './registry-action.ts';

const explanation = `
Servers of the release before go on reading and writing meanwhile, and keep working afterwards. Each step is shown on
standard error, with --json on a terminal only. A migration that was interrupted continues where it was: run the command
again, or start a server. Of several processes, one migrates and the others wait.
`;

export function migrateCommand(): Command {
  return new Command('migrate')
    .description('Create a registry, or migrate its schema to this version. Every other command migrates too.')
    .addHelpText('after', explanation + example('app-registry migrate --database-url postgres://registry@db/registry'))
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
