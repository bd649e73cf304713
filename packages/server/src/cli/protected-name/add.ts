import { Command, Option } from 'commander';
import { changeOptions } from '../change-options.ts';
import { operationAction } from '../operation/operation-action.ts';
import { example } from '../options.ts';

interface Options {
  name?: string;
  host?: string;
  developer?: string[];
  note?: string;
}

const examples = [
  'app-registry protected-name add --name Acme --developer user_01jq3v8x5zf0wv4k5a6j7b8c9d',
  'app-registry protected-name add --host acme.example --note "A trademark: ask for the licence."',
];

export function protectedNameAddCommand(): Command {
  const command = new Command('add')
    .description(
      'Protect a name or a host. The review queue warns of apps of other developers that use it, or one that looks like it; nothing is refused.',
    )
    .addOption(new Option('--name <text>', 'a name, which names of apps may contain').conflicts('host'))
    .option('--host <host>', 'a host, such as acme.example, and the hosts below it')
    .option('--developer <id...>', 'the user ids of the developers who may use it, as TypeIDs or UUIDs')
    .option('--note <text>', 'shown with the warning');
  return changeOptions(command)
    .addHelpText('after', example(...examples))
    .action(
      operationAction<Options>((run, { options: { name, host, developer: developerIds, note } }) =>
        run('addProtectedName', { body: { name, host, developerIds, note } }),
      ),
    );
}
