import { Command } from 'commander';
import { checkRegistry } from '../registry/integrity/check-registry.ts';
import { example } from './options.ts';
import { registryAction } from './registry-action.ts';

const explanation = `
Checks that counts match rows, references resolve, logos belong to the developer of the app, ids are TypeIDs of their
kind, names are unique, revisions are in order, deleted apps can be restored, installations that wait for an approval
are disabled, and each object has its creation event. Prints how much was checked, or every violation, and then exits 1.
`;

export function checkCommand(): Command {
  return new Command('check')
    .description('Check the consistency of the stored data. Changes nothing.')
    .addHelpText('after', explanation + example('app-registry check'))
    .action(registryAction((registry) => checkRegistry(registry)));
}
