import { join } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { isLoopback } from '../../config/address.ts';
import { environment } from '../../config/env.ts';
import { type Environment, VariableReader } from '../../config/variable-reader.ts';
import { homeFolder } from '../../files/home-folder.ts';

/** A server to work with. */
export interface RemoteTarget extends RemoteConfig {
  /** The address of its operator listener, without a trailing slash. */
  url: string;
}

interface GlobalOptions {
  serverUrl?: string;
  databaseUrl?: string;
  allowPlaintext?: true;
}

/** The server that a command is for; null when it is for a database. Throws `ConfigError`. */
export function remoteTarget(command: Command): RemoteTarget | null {
  const { serverUrl: given, databaseUrl, allowPlaintext } = command.optsWithGlobals<GlobalOptions>();
  if (given !== undefined && databaseUrl !== undefined)
    command.error('error: give either --url (a server) or --database-url (a database), not both');
  if (databaseUrl !== undefined) return null;
  const config = readRemoteConfig();
  const url = given ?? config.url;
  if (url === null) return null;
  if (!allowPlaintext && !isEncryptedOrLocal(url)) {
    command.error(`error: the token would be sent unencrypted to ${url}: use its https: URL, or add --allow-plaintext`);
  }
  return { ...config, url };
}

/** The server that a command must be for. Throws `ConfigError`. */
export function requireServer(command: Command): RemoteTarget {
  const target = remoteTarget(command);
  return target ?? command.error('error: no server given: add --url or set APP_REGISTRY_URL');
}

/**
 * Reports a command that works on a database, and was given a server. What a variable names counts only where no variable
 * names a database.
 */
export function requireDatabase(command: Command): void {
  const { serverUrl: url, databaseUrl } = command.optsWithGlobals<GlobalOptions>();
  if (url !== undefined) command.error(`error: ${refusal(command)}: replace --url with --database-url`);
  if (databaseUrl !== undefined) return;
  // Their errors are reported with those of the whole configuration.
  const reader = new VariableReader(environment, []);
  const isNamed = (name: string) => reader.value(name) !== undefined;
  if (!isNamed('APP_REGISTRY_URL') || isNamed('DATABASE_URL') || isNamed('DATABASE_URL_FILE')) return;
  command.error(`error: ${refusal(command)}, but APP_REGISTRY_URL names a server: add --database-url`);
}

function refusal(command: Command): string {
  return `"${command.name()}" works on a database, not through a server`;
}

/** The address of an operator listener. */
export function serverUrl(text: string): string {
  if (!/^https?:\/\/[^\s?#@]+$/.test(text) || !URL.canParse(text))
    throw new InvalidArgumentError('It must be the URL of an operator listener, such as https://ops.example.com.');
  return text.replace(/\/+$/, '');
}

/** Whether no other machine can read what is sent to a URL. */
export function isEncryptedOrLocal(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || hostname === 'localhost' || isLoopback(hostname.replace(/^\[|\]$/g, ''));
}

/** Which server the command line works with, and by which token. `docs/command-line.md` describes each variable. */
interface RemoteConfig {
  url: string | null;
  token: string | null;
  /** The folder of the file in which `login` stores tokens; null if this user has no home folder, as in many containers. */
  folder: string | null;
}

/** Reads these settings. Throws a `ConfigError` that lists every invalid variable. */
function readRemoteConfig(env: Environment = environment): RemoteConfig {
  const reader = new VariableReader(env, []);
  const inFile = reader.fileContent('APP_REGISTRY_TOKEN_FILE')?.toString().trim();
  const token = reader.secret('APP_REGISTRY_TOKEN');
  if (inFile !== undefined && token !== undefined)
    reader.addError('APP_REGISTRY_TOKEN_FILE', 'must not be set together with APP_REGISTRY_TOKEN');
  const config = {
    url: reader.url('APP_REGISTRY_URL', '') || null,
    token: token ?? inFile ?? null,
    folder: folderOf(env),
  };
  reader.finish();
  return config;
}

function folderOf({ XDG_CONFIG_HOME }: Environment): string | null {
  if (XDG_CONFIG_HOME) return join(XDG_CONFIG_HOME, 'app-registry');
  const home = homeFolder();
  return home && join(home, '.config', 'app-registry');
}
