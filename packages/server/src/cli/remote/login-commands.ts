import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { Command } from 'commander';
import type { DeviceSignIn, SignInState } from '../../features/access/browser-sessions.ts';
import { escapeToOneLine } from '../../kernel/text.ts';
import { example } from '../command-options.ts';
import { printResult } from '../registry-action.ts';
import { ServerUnreachable } from './remote-failure.ts';
import { remoteOperations } from './remote-operations.ts';
import { isEncryptedOrLocal, type RemoteTarget, requireServer } from './remote-target.ts';
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

export function logoutCommand(): Command {
  return new Command('logout')
    .description('Remove the stored token or sign-in for a server. A token stays valid; "token revoke" revokes it.')
    .addHelpText('after', example('app-registry logout --url https://ops.example.com'))
    .action(async function action(this: Command) {
      const target = requireServer(this);
      const removed = await storeCredential(target, null);
      const result = { url: target.url, removed: removed !== undefined };
      if (typeof removed !== 'object') return printResult(this, result);
      const { endSignIn } = await import('./device-sign-in.ts');
      printResult(this, { ...result, endedAtProvider: await endSignIn(removed) });
    });
}

/** Reads a secret: from a terminal with a prompt and without echo, otherwise all of standard input. */
export async function readSecret(command: Command, prompt: string): Promise<string> {
  if (!process.stdin.isTTY) return (await text(process.stdin)).trim();
  const { writeErr } = command.configureOutput();
  // In raw mode a terminal echoes nothing: before the prompt, because the secret may be pasted as soon as that appears.
  process.stdin.setRawMode(true).setEncoding('utf8').resume();
  try {
    writeErr?.(prompt);
    return (await readLine()).trim();
  } finally {
    process.stdin.setRawMode(false).pause();
    writeErr?.('\n');
  }
}

const [interrupt, endOfInput, backspace] = ['\u0003', '\u0004', '\u007f'];

async function readLine(): Promise<string> {
  let line = '';
  for (;;) {
    const [typed] = (await once(process.stdin, 'data')) as [string];
    for (const character of typed) {
      if (character === interrupt) return '';
      if (character === '\r' || character === '\n' || character === endOfInput) return line;
      line = character === backspace ? line.slice(0, -1) : line + character;
    }
  }
}

const timeoutMs = 10_000;

/** How a server lets the command line sign people in. Throws `NoToken` if it does not. */
export async function deviceSignInOf({ url }: RemoteTarget): Promise<DeviceSignIn> {
  const { deviceSignIn } = await signInStateOf(url);
  if (!deviceSignIn)
    throw new NoToken(
      `${url} signs no one in by a device code: OIDC_DEVICE_CLIENT_ID is not set there. Log in with an operator token instead.`,
    );
  const { issuer } = deviceSignIn;
  if (!URL.canParse(issuer) || !isEncryptedOrLocal(issuer))
    throw new NoToken(`${url} names the identity provider ${issuer}, which is not an https: URL. Nothing was sent.`);
  return deviceSignIn;
}

async function signInStateOf(url: string): Promise<Partial<SignInState>> {
  try {
    const response = await fetch(`${url}/session`, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
    return Object(await response.json());
  } catch (error) {
    const { cause, message } = error as Error & { cause?: { code?: string } };
    throw new ServerUnreachable(`Cannot connect to ${url} (${cause?.code ?? message}). Check the URL and the network.`);
  }
}
