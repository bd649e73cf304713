import { Command, Option } from 'commander';
import { type ListedAccessToken, type TokenKind, tokenKinds, tokenSorts } from '../../contract/access-token.ts';
import type { TotalPageOf } from '../../contract/page.ts';
import { listTokens } from '../../registry/tokens/list-tokens.ts';
import { example } from '../options.ts';
import { type SortOptions, sortOptions } from '../page-options.ts';
import { registryAction } from '../registry-action.ts';
import { readableToken } from './readable-token.ts';

interface Options extends SortOptions {
  developer?: string;
  kind?: TokenKind;
}

export function tokenListCommand(): Command {
  const command = new Command('list')
    .description('List access tokens with their status: active, expired or revoked. Secrets are not shown.')
    .option('--developer <id>', 'only tokens of this developer, by user id')
    .addOption(new Option('--kind <kind>', 'only tokens of this kind').choices(tokenKinds));
  return sortOptions(command, tokenSorts)
    .addHelpText('after', example('app-registry token list --developer user_01jq3v8nbtf4mrk6d2m3wz5x7c'))
    .action(
      registryAction<Options, TotalPageOf<ListedAccessToken>>(
        (registry, { options: { developer, kind, sort, withTotal, cursor, limit } }) =>
          listTokens(registry, { developerId: developer, kind, sort, withTotal, cursor, limit }),
        ({ items, ...page }) => ({ items: items.map(readableToken), ...page }),
      ),
    );
}
