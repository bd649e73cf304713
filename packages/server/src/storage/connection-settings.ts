import { accessSync, constants } from 'node:fs';
import { isIP } from 'node:net';
import { userInfo } from 'node:os';
import { UnusableDatabase } from './failure.ts';
import { defaultPasswordFile, isPrivateFile } from './password-file.ts';
import { parsePostgresUrl } from './postgres-url.ts';

const sslModes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
/** Of libpq's, those under which a registry can work: it needs a server that accepts writes. */
const sessionAttributes = ['any', 'read-write', 'primary'] as const;
const channelBindings = ['disable', 'prefer', 'require'] as const;
export const defaultPostgresPort = 5_432;
const defaultConnectTimeoutS = 5;
const connectTimeoutSMax = 600;

/** The parameters of libpq that the registry knows, each with the environment variable for its default, if it has one. */
const parameters = {
  host: 'PGHOST',
  hostaddr: 'PGHOSTADDR',
  port: 'PGPORT',
  dbname: 'PGDATABASE',
  user: 'PGUSER',
  password: 'PGPASSWORD',
  passfile: 'PGPASSFILE',
  target_session_attrs: 'PGTARGETSESSIONATTRS',
  connect_timeout: 'PGCONNECT_TIMEOUT',
  application_name: 'PGAPPNAME',
  fallback_application_name: null,
  options: 'PGOPTIONS',
  sslmode: 'PGSSLMODE',
  sslrootcert: 'PGSSLROOTCERT',
  sslcert: 'PGSSLCERT',
  sslkey: 'PGSSLKEY',
  sslpassword: null,
  sslnegotiation: 'PGSSLNEGOTIATION',
  channel_binding: 'PGCHANNELBINDING',
  client_encoding: null,
  gssencmode: null,
  // Of the driver: says that `sslmode` means what it means here.
  uselibpqcompat: null,
} as const;

type Parameter = keyof typeof parameters;

/** The parameters that libpq also reads from environment variables, each with its variable. */
export const postgresVariables: readonly (readonly [Parameter, string])[] = Object.entries(parameters).flatMap(
  ([name, variable]) => (variable === null ? [] : [[name as Parameter, variable]]),
);

export interface PostgresHost {
  /** A host name, an address, or the folder of a Unix socket. */
  name: string;
  /** The address to connect to, if it is not to be looked up. */
  address: string | null;
  port: number;
}

export interface TlsSettings {
  mode: (typeof sslModes)[number];
  negotiation: 'postgres' | 'direct';
  /** Paths of PEM files; `system` for the authorities that the system trusts. */
  rootCertificate: string | null;
  certificate: string | null;
  key: string | null;
  keyPassword: string | null;
}

/** How to connect to PostgreSQL: a connection URI with its defaults. */
export interface ConnectionSettings {
  /** To be tried in this order. */
  hosts: PostgresHost[];
  user: string;
  database: string;
  password: string | null;
  /** Where to look for the password if none is given (PostgreSQL's manual, 32.16, "The Password File"). */
  passwordFile: string | null;
  sessionAttributes: (typeof sessionAttributes)[number];
  /** For each attempt. */
  connectTimeoutMs: number;
  applicationName: string;
  /** Options of the server's command line. */
  options: string | undefined;
  channelBinding: (typeof channelBindings)[number];
  tls: TlsSettings;
}

/** What is wrong with a parameter, or with the complete URL; never with its value, which can be a password. */
export interface ConnectionError {
  parameter: Parameter | null;
  requirement: string;
}

type Read = { settings: ConnectionSettings; errors: [] } | { settings: null; errors: ConnectionError[] };

/** Reads a connection URI with the meaning that libpq gives it. */
export function readConnectionSettings(url: string): Read {
  const given = parsePostgresUrl(url);
  if (!given) return { settings: null, errors: [{ parameter: null, requirement: urlRequirement }] };
  const reader = new ParameterReader(given);
  const settings = settingsOf(reader);
  const errors = [...reader.errors, ...conflictsOf(settings)];
  return errors.length > 0 ? { settings: null, errors } : { settings, errors: [] };
}

/** The settings of a URL; throws `UnusableDatabase` if it is wrong. */
export function connectionSettings(url: string): ConnectionSettings {
  const { settings, errors } = readConnectionSettings(url);
  if (settings) return settings;
  const reasons = errors.map(({ parameter, requirement }) => `${parameter ?? 'it'} ${requirement}`);
  throw new UnusableDatabase(`The URL of the PostgreSQL database cannot be used: ${reasons.join('; ')}.`);
}

const urlRequirement = 'must be postgres://USER:PASSWORD@HOST:PORT/DATABASE, with special characters as %XX';

/** Reads parameters as typed values, and collects what is wrong with them. */
class ParameterReader {
  readonly errors: ConnectionError[] = [];
  readonly #given: ReadonlyMap<string, string>;

  constructor(given: ReadonlyMap<string, string>) {
    this.#given = given;
    const known = Object.keys(parameters);
    // Without the name, which can be part of a password that has a question mark.
    if (![...given.keys()].every((name) => known.includes(name))) {
      this.add(null, `has an unknown parameter; the known ones are ${known.join(', ')}`);
    }
  }

  text(name: Parameter): string | null {
    return this.#given.get(name) ?? null;
  }

  list(name: Parameter): string[] {
    return this.text(name)?.split(',') ?? [];
  }

  oneOf<Value extends string>(name: Parameter, values: readonly Value[], fallback: Value): Value {
    const value = this.text(name) ?? fallback;
    const found = values.find((candidate) => candidate === value);
    if (!found) this.add(name, `must be one of ${values.join(', ')}`);
    return found ?? fallback;
  }

  /** The path of a file that can be read. */
  file(name: Parameter, ...words: string[]): string | null {
    const path = this.text(name);
    if (path !== null && !words.includes(path) && !isReadable(path))
      this.add(name, 'must name a file that can be read');
    return path;
  }

  integer(name: Parameter, { fallback, max }: { fallback: number; max: number }): number {
    const value = this.text(name) ?? String(fallback);
    if (!/^\d{1,9}$/.test(value) || Number(value) < 1 || Number(value) > max) {
      this.add(name, `must be an integer from 1 to ${max}`);
    }
    return Number(value);
  }

  add(parameter: Parameter | null, requirement: string): void {
    this.errors.push({ parameter, requirement });
  }
}

function settingsOf(reader: ParameterReader): ConnectionSettings {
  const hosts = hostsOf(reader);
  const user = reader.text('user') ?? ownName();
  if (user === '') reader.add('user', 'must be set: the user of this process has no name');
  reader.oneOf('client_encoding', ['UTF8', 'utf8', 'auto'], 'UTF8');
  reader.oneOf('gssencmode', ['disable', 'prefer'], 'disable');
  return {
    hosts,
    user,
    database: reader.text('dbname') ?? user,
    password: reader.text('password'),
    passwordFile: passwordFileOf(reader),
    // With several hosts libpq's default, `any`, would stay on the first one after a failover has made it a standby.
    sessionAttributes: reader.oneOf('target_session_attrs', sessionAttributes, hosts.length > 1 ? 'read-write' : 'any'),
    connectTimeoutMs:
      reader.integer('connect_timeout', { fallback: defaultConnectTimeoutS, max: connectTimeoutSMax }) * 1_000,
    applicationName: reader.text('application_name') ?? reader.text('fallback_application_name') ?? 'app-registry',
    options: reader.text('options') ?? undefined,
    channelBinding: reader.oneOf('channel_binding', channelBindings, 'prefer'),
    tls: tlsOf(reader),
  };
}

function hostsOf(reader: ParameterReader): PostgresHost[] {
  const addresses = reader.list('hostaddr');
  const names = reader.text('host') === null && addresses.length > 0 ? addresses : reader.list('host');
  const hosts = names.length > 0 ? names : ['localhost'];
  const ports = reader.list('port');
  if (addresses.length > 0 && addresses.length !== hosts.length)
    reader.add('hostaddr', 'must have one address per host');
  if (!addresses.every((address) => address === '' || isIP(address))) reader.add('hostaddr', 'must be IP addresses');
  if (ports.length > 1 && ports.length !== hosts.length) reader.add('port', 'must be one port, or one per host');
  if (!ports.every((port) => port === '' || isPort(port))) reader.add('port', 'must be from 1 to 65535');
  return hosts.map((name, at) => ({
    name: name || 'localhost',
    address: addresses[at] || null,
    port: Number((ports.length > 1 ? ports[at] : ports[0]) || defaultPostgresPort),
  }));
}

/** Empty for a user without an entry, as in a container. */
function ownName(): string {
  try {
    return userInfo().username;
  } catch {
    return '';
  }
}

function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535;
}

/** As libpq, uses no file that other users can read. */
function passwordFileOf(reader: ParameterReader): string | null {
  if (reader.text('password') !== null) return null;
  const file = reader.file('passfile') ?? defaultPasswordFile();
  if (file !== null && isReadable(file) && !isPrivateFile(file)) {
    reader.add('passfile', 'must name a file that only its owner can read: chmod 0600');
  }
  return file;
}

function tlsOf(reader: ParameterReader): TlsSettings {
  const rootCertificate = reader.file('sslrootcert', 'system');
  return {
    mode: reader.oneOf('sslmode', sslModes, rootCertificate === 'system' ? 'verify-full' : 'prefer'),
    negotiation: reader.oneOf('sslnegotiation', ['postgres', 'direct'], 'postgres'),
    rootCertificate,
    certificate: reader.file('sslcert'),
    key: reader.file('sslkey'),
    keyPassword: reader.text('sslpassword'),
  };
}

function conflictsOf({ tls }: ConnectionSettings): ConnectionError[] {
  const errors: ConnectionError[] = [];
  const add = (parameter: Parameter, requirement: string) => errors.push({ parameter, requirement });
  if (tls.mode === 'verify-ca' && tls.rootCertificate === null) {
    add('sslrootcert', 'must name the certificates of your authority with sslmode=verify-ca');
  }
  // Anyone can have a certificate of these authorities, for another name.
  if (tls.rootCertificate === 'system' && tls.mode !== 'verify-full') {
    add('sslmode', 'must be verify-full with sslrootcert=system');
  }
  if (tls.negotiation === 'direct' && ['disable', 'allow', 'prefer'].includes(tls.mode)) {
    add('sslmode', 'must be require, verify-ca or verify-full with sslnegotiation=direct');
  }
  if ((tls.certificate === null) !== (tls.key === null)) {
    add(tls.certificate === null ? 'sslcert' : 'sslkey', 'must be set: a certificate and its key are used together');
  }
  return errors;
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
