import { Command, Option } from 'commander';
import { type TokenKind, type TokenScope, tokenKinds, tokenLifeMs, tokenScopes } from '../../contract/access-token.ts';
import { commandLine } from '../../registry/registry.ts';
import { issueToken } from '../../registry/tokens/issue-token.ts';
import { durationUpTo, example, inDays, wholeNumber } from '../options.ts';
import { registryAction } from '../registry-action.ts';

const deeds: Record<TokenScope, string> = {
  read: 'sees everything but tokens',
  portal: 'acts for developers: makes and changes developers, apps and logos, submits apps',
  review: 'decides: approves, rejects and revokes apps',
  admin: 'does everything, also with tokens and installations',
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

export function tokenIssueCommand(): Command {
  return new Command('issue')
    .description('Issue an access token. It is printed this once and stored nowhere.')
    .addOption(new Option('--kind <kind>', 'what it is for').choices(tokenKinds).makeOptionMandatory())
    .option('--developer <id>', 'the user id of the developer, for a token of kind developer')
    .addOption(
      new Option('--scope <scopes...>', 'what a token of kind operator may do; several, or the option again').choices(
        tokenScopes,
      ),
    )
    .option(
      '--expires-in <time>',
      `how long it lives, at most ${inDays(tokenLifeMs.max)} (default: ${inDays(tokenLifeMs.default)})`,
      durationUpTo(tokenLifeMs.max),
    )
    .option('--name <name>', 'to know it by')
    .option('--updates-per-minute <count>', 'a limit of its own, 0 for none (default: as configured)', wholeNumber)
    .option('--reads-per-minute <count>', 'a limit of its own, 0 for none (default: as configured)', wholeNumber)
    .addHelpText('after', `\nScopes, each of which sees too:\n${scopeLines()}`)
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
      registryAction<Options>(
        (registry, { options: { kind, developer, scope, expiresIn, name, updatesPerMinute, readsPerMinute } }) =>
          issueToken(registry, commandLine, {
            kind,
            developerId: developer,
            scopes: scope,
            lifeMs: expiresIn,
            name,
            updatesPerMinute,
            readsPerMinute,
          }),
      ),
    );
}

function scopeLines(): string {
  return tokenScopes.map((scope) => `  ${scope.padEnd(8)}${deeds[scope]}`).join('\n');
}
