import { Command } from 'commander';
import { runOrTry } from '../../registry/dry-run/dry-run.ts';
import { revokeToken } from '../../registry/tokens/revoke-token.ts';
import { revokeTokensOfDeveloper } from '../../registry/tokens/revoke-tokens-of-developer.ts';
import { changeOptions } from '../change-options.ts';
import { type DryRunOption, dryRunOption } from '../dry-run-option.ts';
import { example, requireOneOf } from '../options.ts';
import { registryAction } from '../registry-action.ts';

interface Options extends DryRunOption {
  developer?: string;
}

export function tokenRevokeCommand(): Command {
  const command = new Command('revoke')
    .description('Revoke an access token, or all tokens of a developer. The next request with one is rejected.')
    .argument('[id]', 'the token id')
    .option('--developer <id>', 'instead: revoke all tokens of this developer, by user id');
  return changeOptions(dryRunOption(command))
    .addHelpText(
      'after',
      example(
        'app-registry token revoke token_01jq3w4m2jg6vs9a1w7p3n0d5e',
        'app-registry token revoke --developer user_01jq3v8nbtf4mrk6d2m3wz5x7c',
      ),
    )
    .hook('preAction', requireOneOf('developer'))
    .action(
      registryAction<Options>((registry, { args: [id = ''], options: { developer, dryRun }, caller }) =>
        developer === undefined
          ? runOrTry(registry, { dryRun, scope: { tokenId: id } }, (tried) => revokeToken(tried, caller, id))
          : runOrTry(registry, { dryRun, scope: { developerId: developer } }, (tried) =>
              revokeTokensOfDeveloper(tried, caller, developer),
            ),
      ),
    );
}
