import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CannotRead, CannotWrite, errorCode } from '../file-failure.ts';
import type { RemoteTarget } from './target.ts';

/** No token is stored for a server. */
export class NoToken extends Error {
  override readonly name = 'NoToken';
}

/** The tokens that `login` has stored, by the addresses of their servers. */
type Tokens = Record<string, string>;

/** The token of the environment, or the one that `login` has stored for this server. */
export async function tokenFor(target: RemoteTarget): Promise<string> {
  const token = target.token ?? (await readTokens(target))[target.url];
  if (token !== undefined) return token;
  throw new NoToken(
    `No token is stored for ${target.url}. Run "app-registry login --url ${target.url}", or set APP_REGISTRY_TOKEN or APP_REGISTRY_TOKEN_FILE.`,
  );
}

/** Stores the token of a server, for its owner alone. Null removes it. Returns whether there was one before. */
export async function storeToken(target: RemoteTarget, token: string | null): Promise<boolean> {
  const { [target.url]: earlier, ...others } = await readTokens(target);
  await writeTokens(target, token === null ? others : { ...others, [target.url]: token });
  return earlier !== undefined;
}

/** The file in which tokens are stored. */
export function tokenFile({ folder }: Pick<RemoteTarget, 'folder'>): string {
  return join(folder, 'tokens.json');
}

async function readTokens(target: RemoteTarget): Promise<Tokens> {
  const file = tokenFile(target);
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return {};
    throw new CannotRead(
      `The file ${file} cannot be read: ${error instanceof SyntaxError ? 'it is not JSON' : errorCode(error)}.`,
    );
  }
}

/** Whole or not at all: another command may read it meanwhile. */
async function writeTokens(target: RemoteTarget, tokens: Tokens): Promise<void> {
  const file = tokenFile(target);
  const part = `${file}.${process.pid}.part`;
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(part, `${JSON.stringify(tokens, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    await chmod(part, 0o600);
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw new CannotWrite(`The file ${file} cannot be written: ${errorCode(error)}.`);
  }
}
