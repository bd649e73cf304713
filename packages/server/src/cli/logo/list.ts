import { Command } from 'commander';
import { listLogos } from '../../registry/logos/list-logos.ts';
import { example } from '../options.ts';
import { type PageOptions, pageOptions } from '../page-options.ts';
import { registryAction } from '../registry-action.ts';

interface Options extends PageOptions {
  developer?: string;
}

export function logoListCommand(): Command {
  const command = new Command('list')
    .description('List logos.')
    .option('--developer <id>', 'only logos of this developer, by user id');
  return pageOptions(command)
    .addHelpText('after', example('app-registry logo list --developer user_01jq3v8nbtf4mrk6d2m3wz5x7c'))
    .action(
      registryAction<Options>((registry, { options: { developer, cursor, limit } }) =>
        listLogos(registry, { developerId: developer, cursor, limit }),
      ),
    );
}
