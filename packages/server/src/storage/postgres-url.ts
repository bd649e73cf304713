import { resolve } from 'node:path';
import type pg from 'pg';
import { type ConnectionOptions, parse } from 'pg-connection-string';
import { UnusableDatabase } from './storage-failure.ts';

/** The parameters that a URL can have, each with the variable of libpq for its default. */
export const postgresVariables = {
  host: 'PGHOST',
  port: 'PGPORT',
  user: 'PGUSER',
  password: 'PGPASSWORD',
  dbname: 'PGDATABASE',
  application_name: 'PGAPPNAME',
  options: 'PGOPTIONS',
  connect_timeout: 'PGCONNECT_TIMEOUT',
  sslmode: 'PGSSLMODE',
  sslrootcert: 'PGSSLROOTCERT',
  sslcert: 'PGSSLCERT',
  sslkey: 'PGSSLKEY',
} as const;

const sslModes = ['disable', 'require', 'verify-ca', 'verify-full'];
const connectTimeoutSMax = 600;
const defaultPort = '5432';
const defaultConnectTimeoutS = '5';

/** The options of the driver for a URL. Throws an `UnusableDatabase` if it is wrong. */
export function postgresConfig(url: string): pg.PoolConfig & { host: string; port: number } {
  const problem = postgresUrlProblem(url);
  if (problem !== null) throw new UnusableDatabase(`The URL of the PostgreSQL database ${problem}.`);
  const given = read(url);
  const host = given.host || 'localhost';
  const database = given.database ?? parametersOf(url).get('dbname');
  return {
    host,
    port: Number(given.port || defaultPort),
    ...(given.user && { user: given.user }),
    ...(database && { database }),
    ...(given.password && { password: given.password }),
    ...(given.options && { options: given.options }),
    application_name: given.application_name || 'app-registry',
    connectionTimeoutMillis: Number(given.connect_timeout ?? defaultConnectTimeoutS) * 1_000,
    ssl: encryption(given, host),
    enableChannelBinding: true,
  };
}

/** Where the database of a URL is, for people: without user and password. */
function describePostgres(url: string): string {
  const { host, port, user = 'of the current user', database = user } = postgresConfig(url);
  const place = port === Number(defaultPort) ? host : `${host.includes(':') ? `[${host}]` : host}:${port}`;
  return `the PostgreSQL database ${database} on ${place}`;
}

/** What is wrong with a URL; null if it can be used. Never shows a value, which can be a part of the password. */
export function postgresUrlProblem(url: string): string | null {
  const parameters = parametersOf(url);
  const known = Object.keys(postgresVariables);
  if (![...parameters.keys()].every((name) => known.includes(name)))
    return `has an unknown parameter; the known ones are ${known.join(', ')}`;
  const mode = parameters.get('sslmode') ?? 'require';
  if (!sslModes.includes(mode)) return `needs an sslmode (PGSSLMODE) of ${sslModes.join(', ')}`;
  if (mode === 'verify-ca' && !parameters.has('sslrootcert'))
    return 'needs an sslrootcert (PGSSLROOTCERT) with sslmode=verify-ca: the certificates of your authority';
  if (parameters.has('sslcert') !== parameters.has('sslkey'))
    return 'needs sslcert (PGSSLCERT) and sslkey (PGSSLKEY) together';
  if (!isIntegerTo(connectTimeoutSMax, parameters.get('connect_timeout') ?? defaultConnectTimeoutS))
    return `needs a connect_timeout (PGCONNECT_TIMEOUT) from 1 to ${connectTimeoutSMax}`;
  try {
    const { host, port } = read(url);
    if (!isIntegerTo(65_535, port || defaultPort)) return 'needs a port (PGPORT) from 1 to 65535';
    if (/^postgres(?:ql)?:\/\//.test(url) && !host?.includes(',')) return null;
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) return 'names a certificate or a key that cannot be read';
  }
  return 'must be postgres://USER:PASSWORD@HOST:PORT/DATABASE, with one host, and special characters as %XX';
}

/** Adds the parameters that a URL lacks. One that cannot be read stays as it is. */
export function completePostgresUrl(url: string, values: readonly (readonly [name: string, value: string])[]): string {
  let given: ConnectionOptions;
  try {
    given = read(url.replace(/\?.*/s, ''));
  } catch {
    return url;
  }
  const parameters = parametersOf(url);
  const lacking = values.filter(([name]) => !given[name === 'dbname' ? 'database' : name] && !parameters.has(name));
  const added = lacking.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  if (added === '') return url;
  return `${url}${url.includes('?') ? '&' : '?'}${added}`;
}

/** With the meaning of `sslmode` that libpq gives it. Throws for a URL, or a file that it names, that cannot be read. */
function read(url: string): ConnectionOptions {
  return parse(url, { useLibpqCompat: true });
}

function parametersOf(url: string): URLSearchParams {
  return new URLSearchParams(/\?(.*)/s.exec(url)?.[1]);
}

/** Without `sslmode`, a connection that leaves this machine is encrypted, and one that names certificates is verified too. */
function encryption({ ssl }: ConnectionOptions, host: string): pg.PoolConfig['ssl'] & {} {
  const isLocal = host === 'localhost' || host === '::1' || host.startsWith('127.');
  if (host.startsWith('/') || ssl === false || (ssl === undefined && isLocal)) return false;
  // The name that the certificate must have.
  if (typeof ssl !== 'object') return { rejectUnauthorized: false, host } as pg.PoolConfig['ssl'] & {};
  // OpenSSL finds nothing in a file that begins with a byte order mark.
  const files = Object.entries(ssl).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.replace(/^\ufeff/, '') : value,
  ]);
  return { ...Object.fromEntries(files), host };
}

function isIntegerTo(max: number, text: string): boolean {
  return /^[1-9]\d*$/.test(text) && Number(text) <= max;
}

/** Where a database is, for people: without user and password. */
export function describeDatabase(url: string): string {
  if (url === 'sqlite::memory:') return 'memory';
  return url.startsWith('sqlite:') ? resolve(url.slice('sqlite:'.length)) : describePostgres(url);
}
