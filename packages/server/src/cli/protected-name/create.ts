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
  'app-registry protected-name create --name Acme --developer user_01jq3v8x5zf0wv4k5a6j7b8c9d',
  'app-registry protected-name create --host acme.example --note "A trademark: ask for the licence."',
];

export function protectedNameCreateCommand(): Command {
  const command = new Command('create')
    .description(
      'Protect a name or a host. The review queue warns when an app of another developer uses it or a lookalike. Nothing is blocked.',
    )
    .addOption(new Option('--name <text>', 'a name to look for in the names of apps').conflicts('host'))
    .option('--host <host>', 'a host, such as acme.example, with its subdomains')
    .option('--developer <id...>', 'the developers who may use it, by user id as TypeIDs or UUIDs')
    .option('--note <text>', 'shown with the warning');
  return changeOptions(command)
    .addHelpText('after', example(...examples))
    .action(
      operationAction<Options>((run, { options: { name, host, developer: developerIds, note } }) =>
        run('createProtectedName', { body: { name, host, developerIds, note } }),
      ),
    );
}
