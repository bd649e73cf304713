import { Command, Option } from 'commander';
import { tokenLifetimeSeconds } from '../features/access/access-token.ts';
import { getToken, listTokens } from '../features/access/tokens.ts';
import { type TokenKind, type TokenScope, tokenKinds, tokenScopes } from '../kernel/registry.ts';
import { changeOptions } from './change-options.ts';
import { commandGroup } from './derived-commands.ts';
import { type DryRunOption, dryRunOption } from './dry-run-option.ts';
import { operationAction } from './operation/operation-action.ts';
import { durationUpTo, example, inDays, requireOneOf, wholeNumber } from './options.ts';
import { tokenListChangesCommand } from './token-changes.ts';

export function tokenCommand(): Command {
  return commandGroup(new Command('token').description('Manage access tokens.'), {
    issueToken: tokenIssueCommand(),
    listTokens,
    getToken,
    listTokenChanges: tokenListChangesCommand(),
    revokeToken: tokenRevokeCommand(),
  });
}

const scopeDescriptions: Record<TokenScope, string> = {
  read: 'read everything except tokens',
  portal: 'act for developers: create and update developers, apps and logos, submit apps',
  review: 'decide: approve, reject and revoke apps',
  install: 'create, enable, disable, delete and read installations, and nothing else',
  admin: 'do everything, including tokens and webhooks',
};

interface Options {
  kind: TokenKind;
  developer?: string;
  scope?: TokenScope[];
  expiresIn?: number;
  name?: string;
  updatesPerMinute?: number;
  readsPerMinute?: number;
}

function tokenIssueCommand(): Command {
  const command = new Command('issue')
    .description('Issue an access token. The token is printed once and never stored.')
    .addOption(new Option('--kind <kind>', 'the kind of token').choices(tokenKinds).makeOptionMandatory())
    .option('--developer <id>', 'the user id of the developer, for a token of kind developer')
    .addOption(
      new Option(
        '--scope <scopes...>',
        'the scopes of a token of kind operator; give several or repeat the option',
      ).choices(tokenScopes),
    )
    .option(
      '--expires-in <time>',
      `the lifetime, at most ${inDays(tokenLifetimeSeconds.max)} (default: ${inDays(tokenLifetimeSeconds.default)})`,
      durationUpTo(tokenLifetimeSeconds.max),
    )
    .option('--name <name>', 'a name to identify it')
    .option('--updates-per-minute <count>', 'its update limit, 0 for none (default: as configured)', wholeNumber)
    .option('--reads-per-minute <count>', 'its read limit, 0 for none (default: as configured)', wholeNumber);
  return changeOptions(command)
    .addHelpText('after', `\nScopes; all but install include read:\n${scopeLines()}`)
    .addHelpText(
      'after',
      example(
        'app-registry token issue --kind platform --expires-in 30d --name "storefront"',
        'app-registry token issue --kind operator --scope review --name "Grace, reviewer"',
        'app-registry token issue --kind operator --scope portal --scope review',
        'app-registry token issue --kind developer --developer user_01jq3v8nbtf4mrk6d2m3wz5x7c',
      ),
    )
    .action(
      operationAction<Options>(
        (run, { options: { kind, developer, scope, expiresIn, name, updatesPerMinute, readsPerMinute } }) =>
          run('issueToken', {
            body: {
              kind,
              developerId: developer,
              scopes: scope,
              expiresIn,
              name,
              updatesPerMinute,
              readsPerMinute,
            },
          }),
      ),
    );
}

function scopeLines(): string {
  return tokenScopes.map((scope) => `  ${scope.padEnd(9)}${scopeDescriptions[scope]}`).join('\n');
}

function tokenRevokeCommand(): Command {
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
