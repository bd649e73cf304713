import { Command } from 'commander';
import { schemaVersion } from '../storage/schema.ts';
import { example } from './options.ts';
import { creatingRegistryAction } from './registry-action.ts';

const explanation = `
Servers of the previous release keep reading and writing, during the migration and after it. Each step is reported on
standard error; with --json only on a terminal. An interrupted migration resumes where it stopped: run the command
again, or start a server. If several processes start a migration, one migrates and the others wait.
`;

export function migrateCommand(): Command {
  return new Command('migrate')
    .description('Create a registry, or migrate its schema to this version. Every other command also migrates it.')
    .addHelpText('after', explanation + example('app-registry migrate --database-url postgres://registry@db/registry'))
    .action(
      // `creatingRegistryAction` has opened the database, which migrates it.
      creatingRegistryAction(
        async ({ storage }) => ({ engine: storage.engine, schemaVersion: await schemaVersion(storage) }),
        { showsSteps: true },
      ),
    );
}
