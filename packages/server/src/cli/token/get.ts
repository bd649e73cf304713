import { Command } from 'commander';
import { operationAction } from '../operation/operation-action.ts';
import { example } from '../options.ts';

export function tokenGetCommand(): Command {
  return new Command('get')
    .description('Show an access token and its status: active, expired or revoked. Its secret is not shown.')
    .argument('<id>', 'the token id')
    .addHelpText('after', example('app-registry token get token_01jq3w4m2je6vs9a1w7p3n0d5e'))
    .action(operationAction((run, { args: [id = ''] }) => run('getToken', { params: { id } })));
}
