import { Command } from 'commander';
import { example } from '../options.ts';
import { printResult } from '../registry-action.ts';
import { requireServer } from './target.ts';
import { type StoredSignIn, storeCredential } from './token-store.ts';

export function logoutCommand(): Command {
  return new Command('logout')
    .description('Remove the stored token or sign-in for a server. A token stays valid; "token revoke" revokes it.')
    .addHelpText('after', example('app-registry logout --url https://ops.example.com'))
    .action(async function action(this: Command) {
      const target = requireServer(this);
      const removed = await storeCredential(target, null);
      const ended = typeof removed === 'object' ? { endedAtProvider: await endAtProvider(removed) } : {};
      printResult(this, { url: target.url, removed: removed !== undefined, ...ended });
    });
}

async function endAtProvider(signIn: StoredSignIn): Promise<boolean> {
  const { endSignIn } = await import('./device-sign-in.ts');
  return endSignIn(signIn);
}
