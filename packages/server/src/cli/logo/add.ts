import { Command } from 'commander';
import { imageBytesMax } from '../../contract/logo.ts';
import { addLogo } from '../../registry/logos/add-logo.ts';
import { changeOptions } from '../change-options.ts';
import { example } from '../options.ts';
import { readInput } from '../read-input.ts';
import { registryAction } from '../registry-action.ts';

export function logoAddCommand(): Command {
  const command = new Command('add')
    .description(
      'Store a PNG, JPEG, WebP or SVG image, of at most 1 MiB and 4096 pixels a side, as a logo of a developer.',
    )
    .argument('<file>', 'the image')
    .requiredOption('--developer <id>', 'the user id of the developer whose apps may show it');
  return changeOptions(command)
    .addHelpText('after', example('app-registry logo add ./logo.png --developer user_01jq3v8nbtf4mrk6d2m3wz5x7c'))
    .action(
      registryAction<{ developer: string }>(async (registry, { args: [file = ''], options: { developer }, caller }) =>
        addLogo(registry, caller, { developerId: developer, image: await readInput(file, imageBytesMax) }),
      ),
    );
}
