import { Command } from 'commander';
import { type ListedAccessToken, type TokenKind, tokenKinds } from '../../contract/access-token.ts';
import type { PageOf } from '../../contract/page.ts';
import { operationAction } from '../operation/operation-action.ts';
import { choiceOption, example } from '../options.ts';
import { type PageOptions, pageOptions } from '../page-options.ts';
import { readableToken } from './readable-token.ts';

interface Options extends PageOptions {
  developer?: string;
  kind?: TokenKind;
}

const columns = ['id', 'kind', 'status', 'expiresAt', 'lastUsedAt', 'name', 'scopes'];

export function tokenListCommand(): Command {
  const command = new Command('list')
    .description('List access tokens with their status: active, expired or revoked. Secrets are not shown.')
    .option('--developer <id>', 'only tokens of this developer, by user id')
    .addOption(choiceOption('--kind <kind>', 'only tokens of this kind', tokenKinds));
  return pageOptions(command, columns)
    .addHelpText('after', example('app-registry token list --developer user_01jq3v8nbtf4mrk6d2m3wz5x7c'))
    .action(
      operationAction<Options, PageOf<ListedAccessToken>>(
        (run, { options: { developer, kind, cursor, limit } }) =>
          run('listTokens', { query: { developerId: developer, kind, cursor, limit } }),
        ({ items, ...page }) => ({ items: items.map(readableToken), ...page }),
      ),
    );
}
