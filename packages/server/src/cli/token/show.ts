import { Command } from 'commander';
import { showToken } from '../../registry/tokens/show-token.ts';
import { example } from '../options.ts';
import { registryAction } from '../registry-action.ts';
import { tokenForPerson } from './token-for-person.ts';

export function tokenShowCommand(): Command {
  return new Command('show')
    .description('Show an access token, without its secret, and whether it is active, expired or revoked.')
    .argument('<id>', 'the token id')
    .addHelpText('after', example('app-registry token show token_01jq3w4m2jg6vs9a1w7p3n0d5e'))
    .action(registryAction((registry, { args: [id = ''] }) => showToken(registry, id), tokenForPerson));
}
