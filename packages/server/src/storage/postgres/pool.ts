import pg from 'pg';
import { HostClient, type Target } from './host-client.ts';

const int8 = 20;
const types: pg.CustomTypesConfig = {
  // Counts and milliseconds, all below 2^53.
  getTypeParser: ((oid: number, format: 'text') =>
    oid === int8 ? Number : pg.types.getTypeParser(oid, format)) as pg.CustomTypesConfig['getTypeParser'],
};

type WhenConnected = Parameters<pg.Pool['connect']>[0];

/** A pool that reports how long callers waited for a connection when none was idle. */
export class PostgresPool extends pg.Pool {
  /** Called with the wait, even when it ended without a connection. */
  onWaited: (seconds: number) => void = () => {};

  override connect(): Promise<pg.PoolClient>;
  override connect(whenConnected: WhenConnected): void;
  override connect(whenConnected?: WhenConnected): Promise<pg.PoolClient> | undefined {
    // An idle connection is handed out in the next turn, first to callers that are already waiting.
    if (this.idleCount > this.waitingCount) {
      if (!whenConnected) return super.connect();
      super.connect(whenConnected);
      return undefined;
    }
    const startedAt = performance.now();
    const report = () => this.onWaited((performance.now() - startedAt) / 1_000);
    if (!whenConnected) return super.connect().finally(report);
    super.connect((...result) => {
      report();
      whenConnected(...result);
    });
    return undefined;
  }
}

/** Replaces broken connections by itself. */
export function newPool(target: Target, { max, ...options }: pg.PoolConfig & { max: number }): PostgresPool {
  const client = { keepAlive: true, types, ...options };
  const pool = new PostgresPool({
    ...options,
    max,
    // While all connections are in use; to open one, each attempt has its own limit.
    connectionTimeoutMillis: target.settings.connectTimeoutMs,
    Client: class extends HostClient {
      constructor() {
        super(target, client);
      }
    },
  });
  // A connection that breaks while idle is replaced at its next use.
  pool.on('error', () => {});
  return pool;
}
