import { Command } from 'commander';
import { refuseOlderPrograms, schemaVersion } from '../storage/schema-version.ts';
import { example } from './options.ts';
import { creatingRegistryAction } from './registry-action.ts';

const explanation = `
Servers of the previous release keep reading and writing, during the migration and after it. Each step is reported on
standard error; with --json only on a terminal. An interrupted migration resumes where it stopped: run the command
again, or start a server. If several processes start a migration, one migrates and the others wait.

Use --refuse-older once no server of an earlier release is running or will be started again. Earlier releases can then
no longer use the registry, and nothing is written only for them: a change of a developer writes one row instead of one
for each of their apps. A registry created by this release excludes earlier releases from the start.
`;

export function migrateCommand(): Command {
  return new Command('migrate')
    .description('Create a registry, or migrate its schema to this version. Every other command also migrates it.')
    .option('--refuse-older', 'from now on, prevent earlier releases from using this database')
    .addHelpText('after', explanation + example('app-registry migrate --database-url postgres://registry@db/registry'))
    .action(
      // `creatingRegistryAction` has opened the database, which migrates it.
      creatingRegistryAction<{ refuseOlder?: true }>(
        async ({ storage }, { options }) => {
          if (options.refuseOlder) await storage.write(refuseOlderPrograms);
          return { engine: storage.engine, schemaVersion: await schemaVersion(storage) };
        },
        { showsSteps: true },
      ),
    );
}
