import { Command } from 'commander';
import { example } from '../options.ts';
import { printResult } from '../registry-action.ts';
import { readSecret } from './read-secret.ts';
import { remoteOperations } from './remote-operations.ts';
import { requireServer } from './target.ts';
import { NoToken, storeToken, tokenFile } from './token-store.ts';

const explanation = `
Reads an operator token from a prompt or from standard input, verifies it, and stores it for this URL in a file that only
you can read. Later commands with --url or APP_REGISTRY_URL use it. Events record your changes under this token.
`;

export function loginCommand(): Command {
  return new Command('login')
    .description('Sign in to a server: store an operator token for commands with --url.')
    .addHelpText(
      'after',
      explanation +
        example(
          'app-registry login --url https://ops.example.com',
          'app-registry login --url https://ops.example.com < token.txt',
        ),
    )
    .action(async function action(this: Command) {
      const target = requireServer(this);
      const token = await readSecret(this, `Operator token for ${target.url}: `);
      if (token === '') throw new NoToken('No token was entered. Run the command again and paste one.');
      const run = await remoteOperations(this, { ...target, token });
      const caller = await run('showCaller');
      await storeToken(target, token);
      printResult(this, { url: target.url, ...caller, storedIn: tokenFile(target) });
    });
}
