import { Command } from 'commander';
import { checkRegistry } from '../registry/integrity/check-registry.ts';
import { example } from './options.ts';
import { registryAction } from './registry-action.ts';

const explanation = `
Counts equal rows, references hold, logos are their developers' own, ids are TypeIDs of their kind, names are unique,
revisions are in order, deleted apps can be restored, installations that wait for an approval are disabled, and each
object has the event of its creation. Prints how much was checked; on a fault, all that is wrong, and exits 1.
`;

export function checkCommand(): Command {
  return new Command('check')
    .description('Check that what is stored keeps to the rules. Changes nothing.')
    .addHelpText('after', explanation + example('app-registry check'))
    .action(registryAction((registry) => checkRegistry(registry)));
}
