import { Command } from 'commander';
import { revokeToken } from '../../registry/tokens/revoke-token.ts';
import { revokeTokensOfDeveloper } from '../../registry/tokens/revoke-tokens-of-developer.ts';
import { changeOptions } from '../change-options.ts';
import { dryRunOption, triableAction } from '../dry-run-option.ts';
import { example, requireOneOf } from '../options.ts';

export function tokenRevokeCommand(): Command {
  const command = new Command('revoke')
    .description('Revoke an access token, or all tokens of a developer. The next request with one is rejected.')
    .argument('[id]', 'the token id')
    .option('--developer <id>', 'instead: revoke all tokens of this developer, by user id');
  return changeOptions(dryRunOption(command))
    .addHelpText(
      'after',
      example(
        'app-registry token revoke token_01jq3w4m2je6vs9a1w7p3n0d5e',
        'app-registry token revoke --developer user_01jq3v8nbtf4mrk6d2m3wz5x7c',
      ),
    )
    .hook('preAction', requireOneOf('developer'))
    .action(
      triableAction<{ developer?: string }>(({ args: [id = ''], options: { developer }, caller }) =>
        developer === undefined
          ? { scope: { tokenId: id }, work: (registry) => revokeToken(registry, caller, id) }
          : {
              scope: { developerId: developer },
              work: (registry) => revokeTokensOfDeveloper(registry, caller, developer),
            },
      ),
    );
}
