import { Command } from 'commander';
import { escapeToOneLine } from '../../kernel/text.ts';
import { example } from '../options.ts';
import { printResult } from '../registry-action.ts';
import { deviceSignInOf } from './device-sign-in-of.ts';
import { readSecret } from './read-secret.ts';
import { remoteOperations } from './remote-operations.ts';
import { type RemoteTarget, requireServer } from './target.ts';
import { NoToken, type StoredSignIn, storeCredential, tokenFile } from './token-store.ts';

const explanation = `
Without --device, reads an operator token from a prompt or from standard input. With it, you confirm a code at the identity
provider of the server, in any browser, and events record your changes under your name. Either is verified, and stored for
this URL in a file that only you can read. Later commands with --url or APP_REGISTRY_URL use it.
`;

export function loginCommand(): Command {
  return new Command('login')
    .description('Sign in to a server, for commands with --url.')
    .option('--device', 'sign in with the identity provider of the server')
    .addHelpText(
      'after',
      explanation +
        example(
          'app-registry login --url https://ops.example.com',
          'app-registry login --url https://ops.example.com --device',
          'app-registry login --url https://ops.example.com < token.txt',
        ),
    )
    .action(async function action(this: Command, { device }: { device?: true }) {
      const target = requireServer(this);
      const credential = device ? await signInAtProvider(this, target) : await readToken(this, target);
      const token = typeof credential === 'string' ? credential : credential.accessToken;
      const run = await remoteOperations(this, { ...target, token });
      const caller = await run('getCaller');
      await storeCredential(target, credential);
      printResult(this, { url: target.url, ...caller, storedIn: tokenFile(target) });
    });
}

async function readToken(command: Command, { url }: RemoteTarget): Promise<string> {
  const token = await readSecret(command, `Operator token for ${url}: `);
  if (token === '') throw new NoToken('No token was entered. Run the command again and paste one.');
  return token;
}

async function signInAtProvider(command: Command, target: RemoteTarget): Promise<StoredSignIn> {
  const { signInByDevice } = await import('./device-sign-in.ts');
  return signInByDevice(await deviceSignInOf(target), ({ url, code, minutes }) => {
    const lines = [`Open ${url}`, `and confirm the code ${code}, within ${minutes} minutes.`];
    command.configureOutput().writeErr?.(`${lines.map(escapeToOneLine).join('\n')}\n`);
  });
}
