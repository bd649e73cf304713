import { Command } from 'commander';
import { refuseOlderPrograms, schemaVersion } from '../storage/schema-version.ts';
import { example } from './options.ts';
import { creatingRegistryAction } from './registry-action.ts';

const explanation = `
Servers of the release before go on reading and writing meanwhile, and keep working afterwards. Each step is shown on
standard error, with --json on a terminal only. A migration that was interrupted continues where it was: run the command
again, or start a server. Of several processes, one migrates and the others wait.

--refuse-older is for when no server of an earlier release is left, and none is to be started again: from then on they
refuse the registry, and nothing is written for them alone. A change of a developer is then one row instead of one for
each of their apps. A registry that this release has created refuses them from the start.
`;

export function migrateCommand(): Command {
  return new Command('migrate')
    .description('Create a registry, or migrate its schema to this version. Every other command migrates too.')
    .option('--refuse-older', 'refuse programs of earlier releases from now on')
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
