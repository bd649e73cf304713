import { Command } from 'commander';
import { imageBytesMax } from '../features/logos/logo.ts';
import { logoOperations } from '../features/logos/logos.ts';
import { changeOptions } from './change-options.ts';
import { commandGroup } from './derived-commands.ts';
import { operationAction } from './operation/operation-action.ts';
import { example } from './options.ts';
import { readInput } from './read-input.ts';

export function logoCommand(): Command {
  const group = new Command('logo').description('Manage the logos of apps.');
  return commandGroup(group, { create: createCommand(), ...logoOperations });
}

/** Written by hand, because it reads a file. */
function createCommand(): Command {
  const command = new Command('create')
    .description(
      'Store a PNG, JPEG, WebP or SVG image, of at most 1 MiB and 4096 pixels a side, as a logo of a developer.',
    )
    .argument('<file>', 'the image')
    .requiredOption('--developer <id>', 'the user id of the developer whose apps may use it');
  return changeOptions(command)
    .addHelpText('after', example('app-registry logo create ./logo.png --developer user_01jq3v8nbtf4mrk6d2m3wz5x7c'))
    .action(
      operationAction<{ developer: string }>(async (run, { args: [file = ''], options: { developer } }) =>
        run('createLogo', { body: { developerId: developer, image: await readInput(file, imageBytesMax) } }),
      ),
    );
}
