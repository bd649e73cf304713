import pg from 'pg';
import findPassword, { type ConnectionInfo } from 'pgpass';
import { CannotConnect, reasonOf } from './failure.ts';

const int8 = 20;
const types: pg.CustomTypesConfig = {
  // Counts and milliseconds, all below 2^53.
  getTypeParser: ((oid: number, format: 'text') =>
    oid === int8 ? Number : pg.types.getTypeParser(oid, format)) as pg.CustomTypesConfig['getTypeParser'],
};

type WhenConnected = (error: Error | undefined, client?: pg.PoolClient, release?: (error?: Error) => void) => void;

/**
 * A pool that reports how long callers waited for a connection when none was idle, and why none could be opened. It
 * replaces broken connections by itself.
 */
export class PostgresPool extends pg.Pool {
  /** Called with the wait, even when it ended without a connection. */
  onWaited: (seconds: number) => void = () => {};

  constructor(config: pg.PoolConfig) {
    // Without a password in the URL, the one of the password file, as it is then.
    super({ password: filePassword as () => Promise<string>, ...config, keepAlive: true, types });
    // A connection that breaks while idle is replaced at its next use.
    this.on('error', () => {});
    // One that breaks in use fails its statements. Without a listener the error would end the process.
    this.on('connect', (client) => client.on('error', () => {}));
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(whenConnected: WhenConnected): void;
  override connect(whenConnected?: WhenConnected): Promise<pg.PoolClient> | undefined {
    if (!whenConnected) {
      return new Promise((resolve, reject) =>
        this.connect((error, client) => (client ? resolve(client) : reject(error))),
      );
    }
    // An idle connection is handed out in the next turn, first to callers that are already waiting.
    const waitsSince = this.idleCount > this.waitingCount ? null : performance.now();
    super.connect((error, client, release) => {
      if (waitsSince !== null) this.onWaited((performance.now() - waitsSince) / 1_000);
      whenConnected(error && asConnectError(error), client, release);
    });
    return undefined;
  }
}

/** Called by the driver (PostgreSQL's manual, 32.16, "The Password File"). The folder of a socket stands for this machine. */
async function filePassword({ host, ...rest }: ConnectionInfo): Promise<string> {
  const info = { host: host.startsWith('/') ? 'localhost' : host, ...rest };
  const found = await new Promise<string | undefined>((resolve) => findPassword(info, resolve));
  if (found === undefined) throw new Error(`the server requires a password, and none is set for ${info.user}`);
  return found;
}

function asConnectError(error: Error): Error {
  return error instanceof pg.DatabaseError ? error : new CannotConnect(reasonOf(error), { cause: error });
}
