import { Command, Option } from 'commander';
import { type TokenKind, tokenKinds, tokenLifeMs } from '../../contract/access-token.ts';
import { issueToken } from '../../registry/issue-token.ts';
import { commandLine } from '../../registry/registry.ts';
import { durationUpTo, example, inDays, wholeNumber } from '../options.ts';
import { registryAction } from '../registry-action.ts';

interface Options {
  kind: TokenKind;
  developer?: string;
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
    .option(
      '--expires-in <time>',
      `how long it lives, at most ${inDays(tokenLifeMs.max)} (default: ${inDays(tokenLifeMs.default)})`,
      durationUpTo(tokenLifeMs.max),
    )
    .option('--name <name>', 'to know it by')
    .option('--updates-per-minute <count>', 'a limit of its own, 0 for none (default: as configured)', wholeNumber)
    .option('--reads-per-minute <count>', 'a limit of its own, 0 for none (default: as configured)', wholeNumber)
    .addHelpText(
      'after',
      example(
        'app-registry token issue --kind platform --expires-in 30d --name "storefront"',
        'app-registry token issue --kind developer --developer user_01jq3v8nbtf4mrk6d2m3wz5x7c',
      ),
    )
    .action(
      registryAction<Options>(
        (registry, { options: { kind, developer, expiresIn, name, updatesPerMinute, readsPerMinute } }) =>
          issueToken(registry, commandLine, {
            kind,
            developerId: developer,
            lifeMs: expiresIn,
            name,
            updatesPerMinute,
            readsPerMinute,
          }),
      ),
    );
}
