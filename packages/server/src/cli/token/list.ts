import { Command } from 'commander';
import { type TokenKind, tokenKinds, tokenSorts } from '../../features/access/access-token.ts';
import { operationAction } from '../operation/operation-action.ts';
import { choiceOption, example } from '../options.ts';
import { type SortOptions, sortOptions } from '../page-options.ts';

interface Options extends SortOptions {
  developer?: string;
  kind?: TokenKind;
}

const columns = ['id', 'kind', 'status', 'expiresAt', 'lastUsedAt', 'name', 'scopes'];

export function tokenListCommand(): Command {
  const command = new Command('list')
    .description('List access tokens with their status: active, expired or revoked. Secrets are not shown.')
    .option('--developer <id>', 'only tokens of this developer, by user id')
    .addOption(choiceOption('--kind <kind>', 'only tokens of this kind', tokenKinds));
  return sortOptions(command, tokenSorts, columns)
    .addHelpText('after', example('app-registry token list --developer user_01jq3v8nbtf4mrk6d2m3wz5x7c'))
    .action(
      operationAction<Options>((run, { options: { developer, kind, sort, withTotal, cursor, limit } }) =>
        run('listTokens', { query: { developerId: developer, kind, sort, withTotal, cursor, limit } }),
      ),
    );
}
