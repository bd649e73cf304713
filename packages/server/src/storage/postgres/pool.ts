import pg from 'pg';

type WhenConnected = Parameters<pg.Pool['connect']>[0];

/** A pool that tells how long those have waited who found no idle connection. Whoever finds one costs nothing more. */
export class PostgresPool extends pg.Pool {
  /** Called with the time, also when there was no connection in the end. */
  onWaited: (seconds: number) => void = () => {};

  override connect(): Promise<pg.PoolClient>;
  override connect(whenConnected: WhenConnected): void;
  override connect(whenConnected?: WhenConnected): Promise<pg.PoolClient> | undefined {
    // An idle connection is handed out in the next turn, and first to those who have asked for one before.
    if (this.idleCount > this.waitingCount) {
      if (!whenConnected) return super.connect();
      super.connect(whenConnected);
      return undefined;
    }
    const askedAt = performance.now();
    const tell = () => this.onWaited((performance.now() - askedAt) / 1_000);
    if (!whenConnected) return super.connect().finally(tell);
    super.connect((...answer) => {
      tell();
      whenConnected(...answer);
    });
    return undefined;
  }
}
