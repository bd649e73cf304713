import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { privateFolder, replaceFile } from '../../files/private-files.ts';
import { fileText } from '../../files/text-file.ts';
import { CannotRead, CannotWrite, errorCode } from '../command-problems.ts';
import type { RemoteTarget } from './remote-target.ts';

/** No token is stored for a server. */
export class NoToken extends Error {
  override readonly name = 'NoToken';
}

/** A person who signed in at an identity provider, with the client and the parameters that renew the access token. */
export interface StoredSignIn {
  issuer: string;
  clientId: string;
  parameters: Record<string, string>;
  accessToken: string;
  /** Absent if the provider issued none: the sign-in ends with its access token. */
  refreshToken?: string;
}

/** What `login` stores for a server: an operator token, or a sign-in. */
export type Credential = string | StoredSignIn;

/** The credentials that `login` has stored, by the addresses of their servers. */
type Credentials = Record<string, Credential>;

/** The token of the environment, or what `login` has stored for this server. Throws `NoToken`. */
export async function credentialFor(target: RemoteTarget): Promise<Credential> {
  const credential = target.token ?? (await storedCredential(target));
  if (credential !== undefined) return credential;
  throw new NoToken(
    `No token is stored for ${target.url}. Run "app-registry login --url ${target.url}", or set APP_REGISTRY_TOKEN or APP_REGISTRY_TOKEN_FILE.`,
  );
}

export async function storedCredential(target: RemoteTarget): Promise<Credential | undefined> {
  return (await readCredentials(target))[target.url];
}

/** Stores the credential of a server, for its owner alone. Null removes it. Returns the one before. */
export async function storeCredential(
  target: RemoteTarget,
  credential: Credential | null,
): Promise<Credential | undefined> {
  const { [target.url]: earlier, ...others } = await readCredentials(target);
  await writeCredentials(target, credential === null ? others : { ...others, [target.url]: credential });
  return earlier;
}

/** The file in which credentials are stored. */
export function tokenFile({ folder }: Pick<RemoteTarget, 'folder'>): string {
  if (folder !== null) return join(folder, 'tokens.json');
  throw new CannotRead(
    'This user has no home folder for stored tokens. Set XDG_CONFIG_HOME, or APP_REGISTRY_TOKEN or APP_REGISTRY_TOKEN_FILE.',
  );
}

async function readCredentials(target: RemoteTarget): Promise<Credentials> {
  const file = tokenFile(target);
  try {
    return JSON.parse(fileText(await readFile(file)));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return {};
    throw new CannotRead(
      `The file ${file} cannot be read: ${error instanceof SyntaxError ? 'it is not JSON' : errorCode(error)}.`,
    );
  }
}

/** Whole or not at all: another command may read it meanwhile. */
async function writeCredentials(target: RemoteTarget, credentials: Credentials): Promise<void> {
  const file = tokenFile(target);
  try {
    await mkdir(dirname(file), { recursive: true, mode: privateFolder });
    await replaceFile(file, `${JSON.stringify(credentials, null, 2)}\n`);
  } catch (error) {
    throw new CannotWrite(`The file ${file} cannot be written: ${errorCode(error)}.`);
  }
}
