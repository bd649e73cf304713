import { setTimeout as sleep } from 'node:timers/promises';
import { PostgresCluster } from '@appregistrar/testkit/engines/postgres-cluster';
import { TcpProxy } from '@appregistrar/testkit/system/tcp-proxy';
import type { Run } from '../harness/run.ts';
import type { Rollback } from './rollback.ts';

const waitMsMax = 60_000;
const restorePoint = 'mark';

/** A database behind a proxy, under a URL that outlives its server. */
class MovingDatabase {
  readonly url: string;
  readonly #proxy: TcpProxy;

  static async of(run: Run, cluster: PostgresCluster): Promise<MovingDatabase> {
    const proxy = await TcpProxy.start(cluster.port);
    run.atEnd(() => proxy.stop());
    return new MovingDatabase(proxy, cluster.url(proxy.port));
  }

  private constructor(proxy: TcpProxy, url: string) {
    this.#proxy = proxy;
    this.url = url;
  }

  moveTo(cluster: PostgresCluster): void {
    this.#proxy.switchTo(cluster.port);
  }
}

/** The primary is lost, and an asynchronous standby that lagged behind takes over. */
export class AsyncFailover implements Rollback {
  readonly databaseUrl: string;
  readonly confirmsRetained = true;
  readonly #parts: FailoverParts;

  static async open(run: Run): Promise<AsyncFailover> {
    const primary = await PostgresCluster.create();
    run.atEnd(() => primary.remove());
    const standby = await PostgresCluster.standbyOf(primary, 'standby');
    run.atEnd(() => standby.remove());
    return new AsyncFailover({ primary, standby, database: await MovingDatabase.of(run, primary) });
  }

  private constructor(parts: FailoverParts) {
    this.#parts = parts;
    this.databaseUrl = parts.database.url;
  }

  async mark(): Promise<void> {
    const { primary, standby } = this.#parts;
    const [{ at = '' } = {}] = await primary.query<{ at: string }>('select pg_current_wal_lsn()::text as at');
    await until(standby, `pg_last_wal_replay_lsn() >= '${at}'`);
    await standby.stop();
  }

  async lose(): Promise<void> {
    const { primary, standby, database } = this.#parts;
    await primary.kill();
    await standby.start();
    await standby.promote();
    database.moveTo(standby);
  }
}

interface FailoverParts {
  primary: PostgresCluster;
  standby: PostgresCluster;
  database: MovingDatabase;
}

/** A base backup and the archived log, recovered up to a restore point. */
export class PointInTime implements Rollback {
  readonly databaseUrl: string;
  readonly confirmsRetained = true;
  readonly #run: Run;
  readonly #primary: PostgresCluster;
  readonly #database: MovingDatabase;

  static async open(run: Run): Promise<PointInTime> {
    const primary = await PostgresCluster.archiving();
    run.atEnd(() => primary.remove());
    return new PointInTime(run, primary, await MovingDatabase.of(run, primary));
  }

  private constructor(run: Run, primary: PostgresCluster, database: MovingDatabase) {
    this.#run = run;
    this.#primary = primary;
    this.#database = database;
    this.databaseUrl = database.url;
  }

  async mark(): Promise<void> {
    await this.#primary.backUp();
    await this.#primary.query(`select pg_create_restore_point('${restorePoint}')`);
  }

  async lose(): Promise<void> {
    const [{ file = '' } = {}] = await this.#primary.query<{ file: string }>(
      'select pg_walfile_name(pg_switch_wal()) as file',
    );
    await until(this.#primary, `(select last_archived_wal >= '${file}' from pg_stat_archiver)`);
    const recovered = await this.#primary.recoverTo(restorePoint);
    this.#run.atEnd(() => recovered.remove());
    await until(recovered, 'not pg_is_in_recovery()');
    await this.#primary.stop();
    this.#database.moveTo(recovered);
  }
}

async function until(cluster: PostgresCluster, condition: string): Promise<void> {
  const deadline = performance.now() + waitMsMax;
  while (performance.now() < deadline) {
    const [{ holds = false } = {}] = await cluster.query<{ holds: boolean }>(`select ${condition} as holds`);
    if (holds) return;
    await sleep(20);
  }
  throw new Error(`PostgreSQL does not reach: ${condition}`);
}
