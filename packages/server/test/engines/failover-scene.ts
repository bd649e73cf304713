import { PostgresCluster } from '@appregistrar/testkit/engines/postgres-cluster';
import { TcpProxy } from '@appregistrar/testkit/system/tcp-proxy';
import { PgBouncer } from '../programs/pg-bouncer.ts';

/** A primary and its standby, with an address that leads to one of them. */
export class FailoverScene {
  readonly primary: PostgresCluster;
  readonly standby: PostgresCluster;
  readonly address: TcpProxy;
  readonly #bouncer: PgBouncer | undefined;

  /** With a configuration for PgBouncer, that is before the address. */
  static async open(pooler?: string): Promise<FailoverScene> {
    const primary = await PostgresCluster.create();
    const standby = await PostgresCluster.standbyOf(primary, 'standby');
    const address = await TcpProxy.start(primary.port);
    const server = { host: '127.0.0.1', port: address.port, database: 'postgres' };
    const bouncer = pooler === undefined ? undefined : await PgBouncer.start(pooler, server);
    return new FailoverScene({ primary, standby, address }, bouncer);
  }

  private constructor(
    { primary, standby, address }: Pick<FailoverScene, 'primary' | 'standby' | 'address'>,
    bouncer: PgBouncer | undefined,
  ) {
    this.primary = primary;
    this.standby = standby;
    this.address = address;
    this.#bouncer = bouncer;
  }

  /** For a registry. */
  get url(): string {
    return this.#bouncer?.url ?? this.primary.url(this.address.port);
  }

  /** Resolves once the standby has applied everything. */
  async replicated(): Promise<void> {
    const lag = `select 1 from pg_stat_replication where replay_lsn >= pg_current_wal_lsn()`;
    while ((await this.primary.query(lag)).length === 0);
  }

  async close(): Promise<void> {
    await this.#bouncer?.stop();
    await this.address.stop();
    await Promise.all([this.primary.remove(), this.standby.remove()]);
  }
}
