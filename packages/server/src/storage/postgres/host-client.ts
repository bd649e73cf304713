import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import pg from 'pg';
import type { ConnectionSettings, PostgresHost } from '../connection-settings.ts';
import { findPassword } from '../password-file.ts';
import { CannotConnect, reasonOf, sqlState } from './failure.ts';
import { HostOrder } from './host-order.ts';
import { encryptionOrder, tlsOptions } from './tls.ts';

/** The variant of SCRAM in which the client proves that it and the server see the same TLS connection (RFC 5929). */
const boundMechanism = 'SCRAM-SHA-256-PLUS';

type WhenConnected = ((error: Error) => void) | ((error: null, client: pg.Client) => void);

/** The hosts to connect to. Clients with the same target share what they learn about the hosts. */
export interface Target {
  settings: ConnectionSettings;
  order: HostOrder;
}

export function targetOf(settings: ConnectionSettings): Target {
  return { settings, order: new HostOrder(settings.hosts) };
}

/** Whether the server has offered to bind the password to the TLS connection. */
interface Channel {
  isBound: boolean;
}

/** One attempt to connect. */
interface Attempt {
  host: PostgresHost;
  address: string;
  isEncrypted: boolean;
}

/**
 * A client for a pool, which connects as libpq does: it tries the hosts one after another, and each with or without TLS as
 * `sslmode` says. A client of the driver connects once in its life, so each attempt has its own; this one passes everything
 * on to the one that succeeded.
 */
export class HostClient extends pg.Client {
  readonly #target: Target;
  readonly #config: pg.ClientConfig;

  constructor(target: Target, config: pg.ClientConfig) {
    super({ ...config, ssl: false, sslnegotiation: 'postgres' });
    this.#target = target;
    this.#config = config;
    // Between a pool and its user, an error would have no listener and end the process.
    this.on('error', () => {});
  }

  override connect(): Promise<pg.Client>;
  override connect(whenConnected: WhenConnected): void;
  override connect(whenConnected?: WhenConnected): Promise<pg.Client> | undefined {
    const connected = this.#connect();
    if (!whenConnected) return connected;
    const report = whenConnected as (error: Error | null, client?: pg.Client) => void;
    connected.then(() => report(null, this), report);
    return undefined;
  }

  async #connect(): Promise<this> {
    const { settings, order } = this.#target;
    const reasons = new Set<string>();
    for (const host of order.next()) {
      try {
        this.#use(await this.#connectTo(host));
        order.connected(host);
        return this;
      } catch (error) {
        order.failed(host);
        if (isFinal(error)) throw error;
        reasons.add(settings.hosts.length > 1 ? `${host.name}:${host.port}: ${reasonOf(error)}` : reasonOf(error));
      }
    }
    throw new CannotConnect([...reasons].join('; '));
  }

  /** Tries each address of the host. */
  async #connectTo(host: PostgresHost): Promise<pg.Client> {
    let failure: unknown;
    for (const address of await addressesOf(host, this.#target.settings)) {
      for (const isEncrypted of encryptionOrder(this.#target.settings.tls, host)) {
        try {
          return await this.#attempt({ host, address, isEncrypted });
        } catch (error) {
          failure = error;
          if (!dependsOnEncryption(error)) break;
        }
      }
      if (isFinal(failure)) break;
    }
    throw failure;
  }

  async #attempt({ host, address, isEncrypted }: Attempt): Promise<pg.Client> {
    const { settings } = this.#target;
    const channel: Channel = { isBound: false };
    const client = new pg.Client({
      ...this.#config,
      host: address,
      port: host.port,
      user: settings.user,
      database: settings.database,
      // A function, because the driver would look for other passwords by itself.
      password: () => {
        requireBinding(channel, settings);
        return passwordFor(host, settings);
      },
      application_name: settings.applicationName,
      options: settings.options,
      connectionTimeoutMillis: settings.connectTimeoutMs,
      ssl: isEncrypted && (await tlsOptions(settings.tls, host)),
      sslnegotiation: isEncrypted ? settings.tls.negotiation : 'postgres',
      enableChannelBinding: isEncrypted && settings.channelBinding !== 'disable',
    });
    try {
      return await establish(client, { settings, channel });
    } catch (error) {
      client.connection.stream.destroy();
      throw isTimeout(error) ? new CannotConnect(`no response within ${settings.connectTimeoutMs / 1_000} s`) : error;
    }
  }

  /** A pool calls it with each client that it hands out. Nothing is ever unreferenced. */
  ref(): void {}

  #use(client: pg.Client): void {
    client.on('error', (error) => this.emit('error', error));
    client.on('notice', (notice) => this.emit('notice', notice));
    this.query = client.query.bind(client);
    this.end = client.end.bind(client);
    this.getTransactionStatus = client.getTransactionStatus.bind(client);
    Reflect.set(this, 'processID', Reflect.get(client, 'processID'));
  }
}

async function establish(
  client: pg.Client,
  { settings, channel }: { settings: ConnectionSettings; channel: Channel },
): Promise<pg.Client> {
  client.connection.on('authenticationSASL', ({ mechanisms }: { mechanisms: string[] }) => {
    channel.isBound = mechanisms.includes(boundMechanism);
  });
  // After a failed attempt too.
  client.on('error', () => {});
  await client.connect();
  // A server may demand no password at all.
  requireBinding(channel, settings);
  if (settings.sessionAttributes !== 'any') await assertSession(client, settings);
  return client;
}

/** Before the password is sent, which another server could demand in plain text. */
function requireBinding({ isBound }: Channel, { channelBinding }: ConnectionSettings): void {
  if (channelBinding !== 'require' || isBound) return;
  throw new CannotConnect('the server offers no channel binding, which channel_binding=require requires');
}

async function assertSession(
  client: pg.Client,
  { sessionAttributes, connectTimeoutMs }: ConnectionSettings,
): Promise<void> {
  const query: pg.QueryConfig & pg.ClientConfig = {
    text: `select pg_is_in_recovery() as standby, current_setting('transaction_read_only') = 'on' as read_only`,
    query_timeout: connectTimeoutMs,
  };
  const { rows } = await client.query<{ standby: boolean; read_only: boolean }>(query);
  if (rows[0]?.standby) throw new CannotConnect('the server is a standby');
  if (rows[0]?.read_only && sessionAttributes === 'read-write') throw new CannotConnect('the server is read-only');
}

/** Each address of the host whose server may be another one; otherwise the driver tries them by itself. */
async function addressesOf(
  { name, address }: PostgresHost,
  { sessionAttributes }: ConnectionSettings,
): Promise<string[]> {
  if (address !== null) return [address];
  if (sessionAttributes === 'any' || name.startsWith('/') || isIP(name)) return [name];
  return (await lookup(name, { all: true })).map((found) => found.address);
}

function passwordFor(
  { name, port }: PostgresHost,
  { password, passwordFile, database, user }: ConnectionSettings,
): string {
  const found = password ?? (passwordFile && findPassword(passwordFile, { host: name, port, database, user }));
  if (found) return found;
  throw new CannotConnect(`the server requires a password, and none is set for ${user}`);
}

/** Whether the next host is not tried: the server took the connection and refused this user or database. */
function isFinal(error: unknown): boolean {
  const state = sqlState(error);
  return state !== undefined && !/^(?:57P|53)/.test(state);
}

/** Whether to try the same server again, with or without TLS: it took the connection but not in this form. */
function dependsOnEncryption(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== undefined) return state === '28000';
  return !(error instanceof CannotConnect || isUnreachable(error));
}

function isUnreachable(error: unknown): boolean {
  if (error instanceof AggregateError) return true;
  return error instanceof Error && 'syscall' in error && /^(?:connect|getaddrinfo)$/.test(String(error.syscall));
}

/** The driver's error has no code. */
function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'timeout expired';
}
