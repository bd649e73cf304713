import { Command } from 'commander';
import { commandLine } from '../../registry/registry.ts';
import { revokeToken } from '../../registry/tokens/revoke-token.ts';
import { revokeTokensOfDeveloper } from '../../registry/tokens/revoke-tokens-of-developer.ts';
import { example, requireOneOf } from '../options.ts';
import { registryAction } from '../registry-action.ts';

export function tokenRevokeCommand(): Command {
  return new Command('revoke')
    .description('Revoke an access token, or all tokens of a developer. The next request with one is rejected.')
    .argument('[id]', 'the token id')
    .option('--developer <id>', 'instead: revoke all tokens of this developer, by user id')
    .addHelpText(
      'after',
      example(
        'app-registry token revoke token_01jq3w4m2jg6vs9a1w7p3n0d5e',
        'app-registry token revoke --developer user_01jq3v8nbtf4mrk6d2m3wz5x7c',
      ),
    )
    .hook('preAction', requireOneOf('developer'))
    .action(
      registryAction<{ developer?: string }>((registry, { args: [id = ''], options: { developer } }) =>
        developer === undefined
          ? revokeToken(registry, commandLine, id)
          : revokeTokensOfDeveloper(registry, commandLine, developer),
      ),
    );
}
