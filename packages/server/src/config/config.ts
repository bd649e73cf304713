import { isIP } from 'node:net';
import { environment } from './env.ts';

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export interface Address {
  host: string;
  port: number;
}

/** How a registry runs. `docs/operating.md` tells each variable. */
export interface Config {
  databaseUrl: string;
  publicAddress: Address;
  operatorAddress: Address;
  /** Without a slash at the end, as all base addresses here. */
  baseUrl: string;
  devBaseUrl: string;
  logoBaseUrl: string;
  logLevel: (typeof logLevels)[number];
  uniqueNames: boolean;
  workspaceIdPrefix: string;
  userIdPrefix: string;
  /** For each token; 0 means no limit. */
  updatesPerMinute: number;
  readsPerMinute: number;
  /** 0 means no limit. */
  bodyBytesMax: number;
}

/** The configuration has faults; the message lists all of them, each with its variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the whole configuration. Throws a `ConfigError` that names every faulty variable. */
export function readConfig(env: Environment = environment): Config {
  const reader = new Reader(env);
  const publicAddress = reader.address('PUBLIC_ADDRESS', '127.0.0.1:8080');
  const baseUrl = reader.url('BASE_URL', `http://${text(publicAddress)}`);
  const config: Config = {
    databaseUrl: reader.databaseUrl(),
    publicAddress,
    operatorAddress: reader.address('OPERATOR_ADDRESS', '127.0.0.1:8081'),
    baseUrl,
    devBaseUrl: reader.url('DEV_BASE_URL', 'http://127.0.0.1:8090'),
    logoBaseUrl: reader.url('LOGO_BASE_URL', `${baseUrl}/logos`),
    logLevel: reader.oneOf('LOG_LEVEL', logLevels, 'info'),
    uniqueNames: reader.flag('UNIQUE_NAMES', true),
    workspaceIdPrefix: reader.idPrefix('WORKSPACE_ID_PREFIX', 'workspace'),
    userIdPrefix: reader.idPrefix('USER_ID_PREFIX', 'user'),
    updatesPerMinute: reader.count('RATE_LIMIT_UPDATES_PER_MINUTE', 120),
    readsPerMinute: reader.count('RATE_LIMIT_READS_PER_MINUTE', 0),
    bodyBytesMax: reader.count('BODY_BYTES_MAX', 65_536),
  };
  if (!reader.flag('ALLOW_PLAINTEXT', false)) reader.requireTls(config);
  reader.finish();
  return config;
}

export function text({ host, port }: Address): string {
  return isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`;
}

class Reader {
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
      this.#fault('DATABASE_URL', 'must be sqlite:PATH, sqlite::memory: or postgres://USER:PASSWORD@HOST/DATABASE');
    }
    return value;
  }

  address(name: string, fallback: string): Address {
    const value = this.#value(name) ?? fallback;
    const match = /^(?:\[(?<six>[^\]]+)\]|(?<host>[^:[\]\s]+)):(?<port>\d{1,5})$/.exec(value)?.groups;
    const port = Number(match?.port);
    if (!match || port > 65_535 || (match.six && isIP(match.six) !== 6)) {
      this.#fault(name, `must be HOST:PORT, such as ${fallback}, and is ${JSON.stringify(value)}`);
    }
    return { host: match?.six ?? match?.host ?? '', port };
  }

  url(name: string, fallback: string): string {
    const value = this.#value(name);
    // A fallback made of a faulty variable is not a fault of this one.
    if (value === undefined) return fallback;
    const url = URL.canParse(value) && /^https?:\/\/[^\s?#]+$/i.test(value) ? new URL(value) : undefined;
    if (!url || url.username || url.password) {
      this.#fault(name, 'must be an http:// or https:// address without user, query and fragment');
    }
    return (url?.href ?? value).replace(/\/+$/, '');
  }

  oneOf<Value extends string>(name: string, values: readonly Value[], fallback: Value): Value {
    const value = this.#value(name) ?? fallback;
    const found = values.find((candidate) => candidate === value);
    if (!found) this.#fault(name, `must be one of ${values.join(', ')}, and is ${JSON.stringify(value)}`);
    return found ?? fallback;
  }

  flag(name: string, fallback: boolean): boolean {
    return this.oneOf(name, ['0', '1'], fallback ? '1' : '0') === '1';
  }

  count(name: string, fallback: number): number {
    const value = this.#value(name) ?? String(fallback);
    if (!/^\d{1,9}$/.test(value)) {
      this.#fault(name, `must be a whole number from 0 (no limit), and is ${JSON.stringify(value)}`);
    }
    return Number(value);
  }

  idPrefix(name: string, fallback: string): string {
    const value = this.#value(name) ?? fallback;
    if (!/^[a-z](?:[a-z_]{0,61}[a-z])?$/.test(value)) {
      this.#fault(name, `must be a TypeID prefix, such as ${fallback}, and is ${JSON.stringify(value)}`);
    }
    return value;
  }

  /** A token must not cross a network in plain text (decision 4). */
  requireTls(config: Config): void {
    if (!isLocal(config.publicAddress) && !config.baseUrl.startsWith('https:')) {
      this.#fault(
        'PUBLIC_ADDRESS',
        'is not a loopback address, so BASE_URL must be the https: address of the proxy in front, or ALLOW_PLAINTEXT must be 1',
      );
    }
    if (!isLocal(config.operatorAddress)) {
      this.#fault('OPERATOR_ADDRESS', 'is not a loopback address, so ALLOW_PLAINTEXT must be 1');
    }
  }

  finish(): void {
    if (this.#faults.length === 0) return;
    throw new ConfigError(`The configuration has faults:\n${this.#faults.map((fault) => `  ${fault}`).join('\n')}`);
  }

  /** An empty variable is one that is not set, as compose files and unit files write it. */
  #value(name: string): string | undefined {
    return this.#env[name] || undefined;
  }

  #fault(name: string, what: string): void {
    this.#faults.push(`${name} ${what}.`);
  }
}

/** Whether no other machine can reach it. What is no address at all is told as such. */
function isLocal({ host }: Address): boolean {
  return host === '' || host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
