import { Command } from 'commander';
import { changeOptions } from '../change-options.ts';
import { type DryRunOption, dryRunOption } from '../dry-run-option.ts';
import { operationAction } from '../operation/operation-action.ts';
import { example, requireOneOf } from '../options.ts';

export function tokenRevokeCommand(): Command {
  const command = new Command('revoke')
    .description('Revoke an access token, or all tokens of a developer. Takes effect on the next request.')
    .argument('[id]', 'the token id')
    .option('--developer <id>', 'instead of an id: revoke all tokens of this developer, by user id');
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
      operationAction<DryRunOption & { developer?: string }>(
        (run, { args: [id = ''], options: { developer: userId, dryRun } }) =>
          userId === undefined
            ? run('revokeToken', { params: { id }, query: { dryRun } })
            : run('revokeTokensOfDeveloper', { params: { userId }, query: { dryRun } }),
      ),
    );
}
