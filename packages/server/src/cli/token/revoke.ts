import { Command } from 'commander';
import { commandLine } from '../../registry/registry.ts';
import { revokeToken } from '../../registry/revoke-token.ts';
import { example } from '../options.ts';
import { registryAction } from '../registry-action.ts';

export function tokenRevokeCommand(): Command {
  return new Command('revoke')
    .description('Revoke an access token: the next request with it is refused.')
    .argument('<id>', 'the token id')
    .addHelpText('after', example('app-registry token revoke token_01jq3w4m2jg6vs9a1w7p3n0d5e'))
    .action(registryAction((registry, { args: [id = ''] }) => revokeToken(registry, commandLine, id)));
}
