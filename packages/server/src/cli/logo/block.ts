import { Command } from 'commander';
import { changeOptions } from '../change-options.ts';
import { operationAction } from '../operation/operation-action.ts';
import { example } from '../options.ts';

const explanation = `
Apps that use the logo keep it, but show no image. Caches may hold the image for a year: purge it from the CDN.
`;

export function logoBlockCommand(): Command {
  const command = new Command('block')
    .description(
      'Block a logo and the copies made of it by app transfers: its image returns 404, and no app can set it.',
    )
    .argument('<id>', 'the logo id')
    .requiredOption('--reason <text>', 'why, for operators');
  return changeOptions(command)
    .addHelpText(
      'after',
      explanation +
        example('app-registry logo block logo_01jq3w6n4pf8vt2b1x9r3m7k5a --reason "Shows a foreign trademark."'),
    )
    .action(
      operationAction<{ reason: string }>((run, { args: [id = ''], options: { reason } }) =>
        run('blockLogo', { params: { id }, body: { reason } }),
      ),
    );
}
