import pg from 'pg';

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
