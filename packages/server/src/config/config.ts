import { isIP } from 'node:net';
import { environment } from './env.ts';
import { type Environment, VariableReader } from './variable-reader.ts';

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
  /** For each token that has no limit of its own; 0 means no limit, here and below. */
  updatesPerMinute: number;
  readsPerMinute: number;
  bodyBytesMax: number;
  headerBytesMax: number;
  headersTimeoutMs: number;
  requestTimeoutMs: number;
  requestsAtOnceMax: number;
  /** Long lists that are sent at one time. */
  streamsAtOnceMax: number;
  /** How long a reader may take nothing of its answer. */
  stallMsMax: number;
  /** Whose pages browsers let call the public listener. */
  corsOrigins: string[];
  /** Addresses, and networks in CIDR notation, whose `X-Forwarded-*` is believed. */
  trustedProxies: string[];
}

/** Reads the whole configuration. Throws a `ConfigError` that names every faulty variable. */
export function readConfig(env: Environment = environment): Config {
  const reader = new VariableReader(env);
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
    headerBytesMax: reader.count('HEADER_BYTES_MAX', 16_384),
    headersTimeoutMs: reader.count('HEADERS_TIMEOUT_MS', 10_000),
    requestTimeoutMs: reader.count('REQUEST_TIMEOUT_MS', 30_000),
    requestsAtOnceMax: reader.count('REQUESTS_AT_ONCE_MAX', 1_000),
    streamsAtOnceMax: reader.count('STREAMS_AT_ONCE_MAX', 10),
    stallMsMax: reader.count('STALL_MS_MAX', 30_000),
    corsOrigins: reader.origins('CORS_ORIGINS'),
    trustedProxies: reader.networks('TRUSTED_PROXIES'),
  };
  if (!reader.flag('ALLOW_PLAINTEXT', false)) requireTls(config, reader);
  reader.finish();
  return config;
}

export function text({ host, port }: Address): string {
  return isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`;
}

/** A token must not cross a network in plain text (decision 4). */
function requireTls(config: Config, reader: VariableReader): void {
  if (!isLocal(config.publicAddress) && !config.baseUrl.startsWith('https:')) {
    reader.fault(
      'PUBLIC_ADDRESS',
      'is not a loopback address, so BASE_URL must be the https: address of the proxy in front, or ALLOW_PLAINTEXT must be 1',
    );
  }
  if (!isLocal(config.operatorAddress)) {
    reader.fault('OPERATOR_ADDRESS', 'is not a loopback address, so ALLOW_PLAINTEXT must be 1');
  }
}

/** Whether no other machine can reach it. What is no address at all is told as such. */
function isLocal({ host }: Address): boolean {
  return host === '' || host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
