import { createSecretKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { fileText } from '../files/text-file.ts';
import { textFormats } from '../kernel/text.ts';
import { accentProblem, hexColor } from './accent.ts';
import { type Address, isLoopback } from './address.ts';

const durationsMax = 100;
const titleCharactersMax = 40;

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads variables as typed values, and collects the errors to report them together. */
export class VariableReader {
  readonly #env: Environment;
  readonly #errors: string[] = [];

  /** Reads the files of these secrets, and reports what is wrong with them. */
  constructor(env: Environment, secrets: readonly string[] = secretVariables) {
    const given = withoutMarks(env);
    this.#env = { ...given, ...secretsOfFiles(secrets, given, (...error) => this.addError(...error)) };
  }

  /** Connections of a pool. */
  poolSize(name: string, fallback: number): number {
    return Number(this.#matching(name, String(fallback), /^(?!0+$)\d{1,4}$/, 'must be an integer from 1 to 9999'));
  }

  address(name: string, fallback: string): Address {
    const value = this.value(name) ?? fallback;
    const match = /^(?:\[(?<ipv6>[^\]]+)\]|(?<host>[^:[\]\s]+)):(?<port>\d{1,5})$/.exec(value)?.groups;
    const port = Number(match?.port);
    if (!match || port > 65_535 || (match.ipv6 && isIP(match.ipv6) !== 6)) {
      this.addError(name, `must be HOST:PORT, such as ${fallback}, not ${JSON.stringify(value)}`);
    }
    return { host: match?.ipv6 ?? match?.host ?? '', port };
  }

  url(name: string, fallback: string): string {
    const value = this.value(name);
    // A fallback derived from an invalid variable is no error of this one.
    if (value === undefined) return fallback;
    const url = URL.canParse(value) && /^https?:\/\/[^\s?#]+$/i.test(value) ? new URL(value) : undefined;
    if (!url || url.username || url.password) {
      this.addError(name, 'must be an http:// or https:// URL without user, query or fragment');
    }
    return (url?.href ?? value).replace(/\/+$/, '');
  }

  /** A URL without a path. */
  hostUrl(name: string, fallback: string): string {
    const url = this.url(name, fallback);
    if (URL.canParse(url) && new URL(url).pathname !== '/') {
      this.addError(name, 'must have no path: the console and the operator API are served at the root of the host');
    }
    return url;
  }

  oneOf<Value extends string>(name: string, values: readonly Value[], fallback: Value): Value {
    const value = this.value(name) ?? fallback;
    const found = values.find((candidate) => candidate === value);
    if (!found) this.addError(name, `must be one of ${values.join(', ')}, not ${JSON.stringify(value)}`);
    return found ?? fallback;
  }

  flag(name: string, fallback: boolean): boolean {
    return this.oneOf(name, ['0', '1'], fallback ? '1' : '0') === '1';
  }

  count(name: string, fallback: number): number {
    return Number(this.#matching(name, String(fallback), /^\d{1,9}$/, 'must be an integer from 0 (no limit)'));
  }

  idPrefix(name: string, fallback: string): string {
    const requirement = `must be a TypeID prefix, such as ${fallback}`;
    return this.#matching(name, fallback, /^[a-z](?:[a-z_]{0,61}[a-z])?$/, requirement);
  }

  /** Exactly as written: it is compared with the `iss` claim of tokens. */
  issuer(name: string): string | undefined {
    return this.#optional(
      name,
      isIssuer,
      'must be an https:// URL, or an http:// URL of this machine, without user, query or fragment, exactly as in the "iss" claim of tokens',
    );
  }

  /** A token of a scope list (RFC 6749, 3.3). */
  word(name: string): string | undefined {
    return this.#optional(name, isWord, wordRequirement);
  }

  /** Who runs commands. */
  actorName(name: string): string | undefined {
    return this.#optional(name, isActorName, actorNameRequirement);
  }

  /** One line of visible text. */
  title(name: string, fallback: string): string {
    const isTitle = (text: string) =>
      textFormats['app-name']?.validate(text) === true && [...text].length <= titleCharactersMax;
    const requirement = `must be one line of visible text, of at most ${titleCharactersMax} characters`;
    return this.#optional(name, isTitle, requirement) ?? fallback;
  }

  /** A colour on which text can be read, and which stands out; null if it is unset. */
  accent(name: string): string | null {
    const value = this.value(name);
    if (value === undefined) return null;
    const color = hexColor(value);
    const problem = color ? accentProblem(color) : `be a hex colour, such as #3f57d4, not ${JSON.stringify(value)}`;
    if (problem) this.addError(name, `must ${problem}`);
    return color;
  }

  /** The content of the file that a variable names; null if it is unset. */
  fileContent(name: string): Buffer | null {
    const path = this.value(name);
    if (path === undefined) return null;
    return readSettingFile(path, (requirement) => this.addError(name, requirement));
  }

  words(name: string, fallback: string[]): string[] {
    const words = this.#list(name, isWord, `${wordRequirement}, or several separated by commas`);
    return words.length === 0 ? fallback : words;
  }

  /** Any text of RFC 6749, A.2. */
  secret(name: string): string | undefined {
    return this.#optional(name, (text) => /^[ -~]+$/.test(text), 'must consist of printable ASCII characters');
  }

  /** Keys of 32 bytes. The error leaves them out. */
  keys(name: string): KeyObject[] {
    const keys = this.value(name)
      ?.split(/[\s,]+/)
      .filter((key) => key !== '');
    if (keys && !(keys.length > 0 && keys.every(isKey))) this.addError(name, keyRequirement);
    return keys?.filter(isKey).map((key) => createSecretKey(key, 'base64')) ?? [];
  }

  /** An HTTP proxy, with a user and a password if it wants them. */
  proxy(name: string): URL | null {
    const isProxy = (text: string) => URL.canParse(text) && /^http:\/\/[^\s/?#]+\/?$/.test(text);
    const value = this.#optional(name, isProxy, 'must be http://HOST:PORT or http://USER:PASSWORD@HOST:PORT');
    return value === undefined ? null : URL.parse(value);
  }

  /** Scopes to request; `openid` makes the request one of OpenID Connect. */
  scope(name: string): string | undefined {
    const isScope = (text: string) => text.split(' ').every(isWord) && text.split(' ').includes('openid');
    return this.#optional(name, isScope, 'must be scopes separated by single spaces, including openid');
  }

  /** A URL query, in which some names are reserved. */
  parameters(name: string, reserved: readonly string[]): Record<string, string> {
    const value = this.value(name) ?? '';
    const given = [...new URLSearchParams(value)];
    const names = given.map(([parameter]) => parameter);
    if (given.some(([parameter, text]) => !/^[\w.-]+$/.test(parameter) || text === '')) {
      this.addError(name, 'must be a URL query, such as audience=https%3A%2F%2Fapps.example.com');
    }
    if (new Set(names).size < names.length) this.addError(name, 'must not repeat a parameter');
    const conflicts = names.filter((parameter) => reserved.includes(parameter));
    if (conflicts.length > 0) {
      this.addError(name, `must not contain parameters that the registry sets: ${conflicts.join(', ')}`);
    }
    return Object.fromEntries(given);
  }

  /** Origins exactly as browsers send them, since they are compared as text. */
  origins(name: string): string[] {
    const requirement = 'must be a comma-separated list of origins in lower case, such as https://console.example.com';
    return this.#list(name, isOrigin, requirement);
  }

  /** A list of durations, with up to three decimals. */
  seconds(name: string, fallback: number[]): number[] {
    const requirement = `must be a comma-separated list of at most ${durationsMax} durations in seconds, such as 5,300,1800`;
    const durations = this.#list(name, (text) => /^\d{1,6}(?:\.\d{1,3})?$/.test(text), requirement);
    if (durations.length > durationsMax) this.addError(name, requirement);
    return durations.length === 0 ? fallback : durations.map(Number);
  }

  /** Addresses, and networks in CIDR notation. */
  networks(name: string): string[] {
    const requirement = 'must be a comma-separated list of addresses or networks, such as 10.0.0.0/8 or ::1';
    return this.#list(name, isNetwork, requirement);
  }

  /** As it is set. An empty variable counts as unset: compose files and unit files write it so. */
  value(name: string): string | undefined {
    return this.#env[name] || undefined;
  }

  /** An error of a secret that is in a file names the variable of the file. */
  addError(name: string, requirement: string): void {
    const isInFile = secretVariables.includes(name) && this.value(`${name}_FILE`) !== undefined;
    this.#errors.push(`${name}${isInFile ? '_FILE' : ''} ${requirement}.`);
  }

  /** Throws a `ConfigError` if any variable was invalid. */
  finish(): void {
    if (this.#errors.length === 0) return;
    throw new ConfigError(`The configuration is invalid:\n${this.#errors.map((error) => `  ${error}`).join('\n')}`);
  }

  /** The error shows the value. */
  #matching(name: string, fallback: string, pattern: RegExp, requirement: string): string {
    const value = this.value(name) ?? fallback;
    if (!pattern.test(value)) this.addError(name, `${requirement}, not ${JSON.stringify(value)}`);
    return value;
  }

  /** The error leaves out the value. */
  #optional(name: string, isValid: (text: string) => boolean, requirement: string): string | undefined {
    const value = this.value(name);
    if (value !== undefined && !isValid(value)) this.addError(name, requirement);
    return value;
  }

  #list(name: string, isValid: (item: string) => boolean, requirement: string): string[] {
    const items = this.value(name)?.split(',') ?? [];
    const trimmed = items.map((item) => item.trim());
    if (!trimmed.every(isValid)) this.addError(name, requirement);
    return trimmed;
  }
}

const keyRequirement =
  'must be one or more keys of 32 random bytes in base64, separated by commas; create one with "openssl rand -base64 32"';
const wordRequirement = 'must be printable ASCII characters without spaces, quotes or backslashes';

function isWord(text: string): boolean {
  return /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(text);
}

/** The base64 of 32 bytes. */
function isKey(text: string): boolean {
  return /^[A-Za-z0-9+/]{43}=$/.test(text);
}

/** Tokens and keys must not cross a network unencrypted. */
function isIssuer(text: string): boolean {
  if (!/^https?:\/\/[^\s?#\\]+$/.test(text) || !URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username || password) return false;
  return protocol === 'https:' || isLoopback(hostname.replace(/^\[(.*)\]$/, '$1'));
}

function isOrigin(text: string): boolean {
  return /^https?:[^*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

function isNetwork(text: string): boolean {
  const { address = '', bits } = /^(?<address>[^/%]+)(?:\/(?<bits>\d{1,3}))?$/.exec(text)?.groups ?? {};
  const family = isIP(address);
  return family !== 0 && Number(bits ?? 0) <= (family === 4 ? 32 : 128);
}

/** A file of variables can begin with a byte order mark, which its reader takes for a part of the first name. */
function withoutMarks(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name.replace(/^\ufeff/, ''), value]));
}

/** Each of them may be in a file instead, such as a mounted secret: the variable with `_FILE` at its end names it. */
export const secretVariables = ['DATABASE_URL', 'PGPASSWORD', 'SECRETS_KEY', 'OIDC_CLIENT_SECRET', 'WEBHOOK_PROXY'];

/** The secrets in the files that the environment names. The line break at the end of a file is no part of its secret. */
function secretsOfFiles(
  names: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  addError: (name: string, requirement: string) => void,
): Record<string, string> {
  const secrets: Record<string, string> = {};
  for (const name of names) {
    const variable = `${name}_FILE`;
    const path = env[variable];
    if (!path) continue;
    if (env[name]) addError(variable, `must not be set together with ${name}`);
    const bytes = readSettingFile(path, (requirement) => addError(variable, requirement));
    const text = bytes && fileText(bytes).replace(/\r?\n$/, '');
    if (text === '') addError(variable, 'must name a non-empty file');
    if (text) secrets[name] = text;
  }
  return secrets;
}

/** The content of a file; null if it cannot be read. */
function readSettingFile(path: string, addError: (requirement: string) => void): Buffer | null {
  try {
    return readFileSync(path);
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? error.code : error;
    addError(`must name a readable file (${reason})`);
    return null;
  }
}

/** How the actors of tokens and of maintenance begin. */
const reserved = ['token_', 'oidc', 'maintenance'];

/**
 * Whether a text can name who runs commands, after `command-line:` in the actor of their events. Without `@` and `/`, it is
 * no email address, and no HOST/USER of a system. It does not look like an actor of another kind.
 */
export function isActorName(text: string): boolean {
  const isReserved = reserved.some((prefix) => text.toLowerCase().startsWith(prefix));
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text) && !isReserved;
}

/** Completes the sentence "The name …". */
export const actorNameRequirement = `must be 1 to 64 letters, digits, dots, underscores and hyphens, start with a letter or digit, and not start with ${reserved.join(', ')}`;

/** The configuration is invalid; the message lists every error with its variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
