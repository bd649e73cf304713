import { Command } from 'commander';
import { example } from '../options.ts';
import { printResult } from '../registry-action.ts';
import { requireServer } from './target.ts';
import { storeToken } from './token-store.ts';

export function logoutCommand(): Command {
  return new Command('logout')
    .description('Remove the stored token for a server. The token stays valid; "token revoke" revokes it.')
    .addHelpText('after', example('app-registry logout --url https://ops.example.com'))
    .action(async function action(this: Command) {
      const target = requireServer(this);
      printResult(this, { url: target.url, removed: await storeToken(target, null) });
    });
}
