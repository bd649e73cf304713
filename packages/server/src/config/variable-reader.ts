import { isIP } from 'node:net';
import type { Address } from './address.ts';

/** The configuration has faults; the message lists all of them, each with its variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const timesMax = 100;

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads variables as typed values, and keeps the faults to tell them all at once. */
export class VariableReader {
  readonly #env: Environment;
  readonly #faults: string[] = [];

  constructor(env: Environment) {
    this.#env = env;
  }

  databaseUrl(): string {
    const value = this.#value('DATABASE_URL') ?? 'sqlite:./data/registry.db';
    const usable = /^sqlite:./.test(value) || (/^postgres(?:ql)?:\/\//.test(value) && URL.canParse(value));
    // The value is not repeated: it can hold a password.
    if (!usable) {
      this.fault('DATABASE_URL', 'must be sqlite:PATH, sqlite::memory: or postgres://USER:PASSWORD@HOST/DATABASE');
    }
    return value;
  }

  address(name: string, fallback: string): Address {
    const value = this.#value(name) ?? fallback;
    const match = /^(?:\[(?<six>[^\]]+)\]|(?<host>[^:[\]\s]+)):(?<port>\d{1,5})$/.exec(value)?.groups;
    const port = Number(match?.port);
    if (!match || port > 65_535 || (match.six && isIP(match.six) !== 6)) {
      this.fault(name, `must be HOST:PORT, such as ${fallback}, and is ${JSON.stringify(value)}`);
    }
    return { host: match?.six ?? match?.host ?? '', port };
  }

  url(name: string, fallback: string): string {
    const value = this.#value(name);
    // A fallback made of a faulty variable is not a fault of this one.
    if (value === undefined) return fallback;
    const url = URL.canParse(value) && /^https?:\/\/[^\s?#]+$/i.test(value) ? new URL(value) : undefined;
    if (!url || url.username || url.password) {
      this.fault(name, 'must be an http:// or https:// address without user, query and fragment');
    }
    return (url?.href ?? value).replace(/\/+$/, '');
  }

  /** The address of a host as a whole. */
  hostUrl(name: string, fallback: string): string {
    const url = this.url(name, fallback);
    if (URL.canParse(url) && new URL(url).pathname !== '/') {
      this.fault(name, 'must have no path: what is served there, the console too, is at the root of its host');
    }
    return url;
  }

  oneOf<Value extends string>(name: string, values: readonly Value[], fallback: Value): Value {
    const value = this.#value(name) ?? fallback;
    const found = values.find((candidate) => candidate === value);
    if (!found) this.fault(name, `must be one of ${values.join(', ')}, and is ${JSON.stringify(value)}`);
    return found ?? fallback;
  }

  flag(name: string, fallback: boolean): boolean {
    return this.oneOf(name, ['0', '1'], fallback ? '1' : '0') === '1';
  }

  count(name: string, fallback: number): number {
    const value = this.#value(name) ?? String(fallback);
    if (!/^\d{1,9}$/.test(value)) {
      this.fault(name, `must be a whole number from 0 (no limit), and is ${JSON.stringify(value)}`);
    }
    return Number(value);
  }

  idPrefix(name: string, fallback: string): string {
    const value = this.#value(name) ?? fallback;
    if (!/^[a-z](?:[a-z_]{0,61}[a-z])?$/.test(value)) {
      this.fault(name, `must be a TypeID prefix, such as ${fallback}, and is ${JSON.stringify(value)}`);
    }
    return value;
  }

  /** As it is written, since tokens name it to the letter. */
  issuer(name: string): string | undefined {
    const value = this.#value(name);
    if (value !== undefined && !isIssuer(value)) {
      this.fault(
        name,
        'must be an https:// address, or an http:// one of this machine, without user, query and fragment, just as tokens name it',
      );
    }
    return value;
  }

  /** What can stand in a list of scopes (RFC 6749, 3.3). */
  word(name: string): string | undefined {
    const value = this.#value(name);
    if (value !== undefined && !isWord(value)) this.fault(name, wordFault);
    return value;
  }

  words(name: string, fallback: string[]): string[] {
    const words = this.#list(name);
    if (!words.every(isWord)) this.fault(name, `${wordFault}, or several separated by commas`);
    return words.length === 0 ? fallback : words;
  }

  /** Any text of RFC 6749, A.2. It is not repeated in a fault. */
  secret(name: string): string | undefined {
    const value = this.#value(name);
    if (value !== undefined && !/^[ -~]+$/.test(value)) this.fault(name, 'must be visible ASCII characters and spaces');
    return value;
  }

  /** Scopes to ask for, which make a request one of OpenID Connect. */
  scope(name: string): string | undefined {
    const value = this.#value(name);
    const scopes = value?.split(' ') ?? ['openid'];
    if (!scopes.every(isWord) || !scopes.includes('openid')) {
      this.fault(name, 'must be scopes separated by one space, openid among them');
    }
    return value;
  }

  /** The query of an address, without some names. */
  parameters(name: string, taken: readonly string[]): Record<string, string> {
    const value = this.#value(name) ?? '';
    const given = [...new URLSearchParams(value)];
    const names = given.map(([parameter]) => parameter);
    if (given.some(([parameter, text]) => !/^[\w.-]+$/.test(parameter) || text === '')) {
      this.fault(name, 'must be written as the query of an address, such as audience=https%3A%2F%2Fapps.example.com');
    }
    if (new Set(names).size < names.length) this.fault(name, 'must not name a parameter twice');
    const own = names.filter((parameter) => taken.includes(parameter));
    if (own.length > 0) this.fault(name, `must not name what the registry says itself: ${own.join(', ')}`);
    return Object.fromEntries(given);
  }

  /** Origins just as browsers write them, since they are compared as text. */
  origins(name: string): string[] {
    const origins = this.#list(name);
    if (!origins.every(isOrigin)) {
      this.fault(name, 'must be origins such as https://console.example.com, in lower case and separated by commas');
    }
    return origins;
  }

  /** Times one after another, to the millisecond. */
  seconds(name: string, fallback: number[]): number[] {
    const times = this.#list(name);
    if (!times.every((time) => /^\d{1,6}(?:\.\d{1,3})?$/.test(time)) || times.length > timesMax) {
      this.fault(name, `must be numbers of seconds such as 5,300,1800, separated by commas, and at most ${timesMax}`);
    }
    return times.length === 0 ? fallback : times.map(Number);
  }

  /** Addresses, and networks in CIDR notation. */
  networks(name: string): string[] {
    const networks = this.#list(name);
    if (!networks.every(isNetwork)) {
      this.fault(name, 'must be addresses or networks such as 10.0.0.0/8 or ::1, separated by commas');
    }
    return networks;
  }

  /** Keeps a fault of a variable, to be told with the others. */
  fault(name: string, what: string): void {
    this.#faults.push(`${name} ${what}.`);
  }

  /** Throws when there were faults. */
  finish(): void {
    if (this.#faults.length === 0) return;
    throw new ConfigError(`The configuration has faults:\n${this.#faults.map((fault) => `  ${fault}`).join('\n')}`);
  }

  #list(name: string): string[] {
    return (
      this.#value(name)
        ?.split(',')
        .map((item) => item.trim()) ?? []
    );
  }

  /** An empty variable is one that is not set, as compose files and unit files write it. */
  #value(name: string): string | undefined {
    return this.#env[name] || undefined;
  }
}

const wordFault = 'must be visible ASCII characters without spaces, quotes and backslashes';

function isWord(text: string): boolean {
  return /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(text);
}

/** Tokens and keys must not cross a network in plain text. */
function isIssuer(text: string): boolean {
  if (!/^https?:\/\/[^\s?#\\]+$/.test(text) || !URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username || password) return false;
  return protocol === 'https:' || isLoopback(hostname.replace(/^\[(.*)\]$/, '$1'));
}

/** Whether no other machine can be meant. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

function isOrigin(text: string): boolean {
  return /^https?:[^*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

function isNetwork(text: string): boolean {
  const { address = '', bits } = /^(?<address>[^/%]+)(?:\/(?<bits>\d{1,3}))?$/.exec(text)?.groups ?? {};
  const family = isIP(address);
  return family !== 0 && Number(bits ?? 0) <= (family === 4 ? 32 : 128);
}
