import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const intervalMs = 20;
const waiting = `
  select mode, extract(epoch from clock_timestamp() - waitstart) * 1000 as ms from pg_locks
  where not granted and waitstart is not null and locktype <> 'virtualxid'
    and (mode in ('AccessShareLock', 'RowShareLock', 'RowExclusiveLock') or locktype in ('transactionid', 'tuple'))`;

/** Watches how long reads and updates wait for locks of PostgreSQL, which does not depend on the load of the machine. */
export class LockWaits {
  /** The longest waits in milliseconds. */
  readonly longest = { reads: 0, updates: 0 };
  readonly #client: pg.Client;
  readonly #watching: Promise<void>;
  #isStopped = false;

  static async watch(url: string): Promise<LockWaits> {
    const client = new pg.Client({ connectionString: url, application_name: 'lock-waits' });
    await client.connect();
    return new LockWaits(client);
  }

  private constructor(client: pg.Client) {
    this.#client = client;
    this.#watching = this.#watch();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#watching;
    await this.#client.end();
  }

  async #watch(): Promise<void> {
    while (!this.#isStopped) {
      const { rows } = await this.#client.query<{ mode: string; ms: string }>(waiting);
      for (const { mode, ms } of rows) {
        const kind = mode === 'AccessShareLock' ? 'reads' : 'updates';
        this.longest[kind] = Math.max(this.longest[kind], Math.round(Number(ms)));
      }
      await sleep(intervalMs);
    }
  }
}
