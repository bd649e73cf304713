import { setTimeout as sleep } from 'node:timers/promises';
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely';
import type pg from 'pg';
import { connectionSettings } from '../connection-settings.ts';
import { DatabaseNotFound, StorageUnavailable, UnknownOutcome, UnusableDatabase } from '../failure.ts';
import type { Gate } from '../gate.ts';
import type { Measures, StorageObserver } from '../measures.ts';
import type { Migrator } from '../migrator.ts';
import type { Connection } from '../query.ts';
import type { Catalogue } from '../schema.ts';
import type { SnapshotWork } from '../snapshot.ts';
import type { QueryBuilder } from '../statement.ts';
import type { OpenOptions, Storage } from '../storage.ts';
import type { Tables } from '../tables.ts';
import { postgresCatalogue } from './catalogue.ts';
import { PostgresConnection } from './connection.ts';
import { asStorageFailure, isConnectionLoss, isLostRace, isMissingDatabase, reasonOf, sqlState } from './failure.ts';
import { postgresGate } from './gate.ts';
import { targetOf } from './host-client.ts';
import { postgresMeasures } from './measures.ts';
import { postgresMigrator } from './migrator.ts';
import { newPool, type PostgresPool } from './pool.ts';
import { assertUsable, durabilityWarnings } from './server-settings.ts';
import { postgresSnapshot } from './snapshot.ts';
import { readTimeline, Timeline } from './timeline.ts';

/** A lookup takes a millisecond. If it takes this long the server does not respond, even though its machine does. */
const lookupTimeoutMs = 5_000;
const attemptsMax = 6;

const builder: QueryBuilder = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

type PostgresOptions = Partial<Pick<OpenOptions, 'pools' | 'onTimelineChanged'>>;

/** PostgreSQL 15 or newer, or a compatible server. Any number of processes may share it. */
export class PostgresStorage implements Storage {
  readonly engine = 'postgres';
  readonly reader: Connection;
  readonly gate: Gate;
  readonly measures: Measures;
  readonly catalogue: Catalogue = postgresCatalogue;
  readonly migrator: Migrator;
  readonly #timeline = new Timeline();
  /** For writes. */
  readonly #pool: PostgresPool;
  /** Separate, so that a read never waits for a write that waits for a lock. */
  readonly #readPool: PostgresPool;
  /** Separate, because a snapshot lasts as long as its reader takes. */
  readonly #snapshotPool: PostgresPool;
  /** Every request makes a lookup first, so that only those already under way wait for a server that does not respond. */
  readonly #lookups: Connection;
  #observer: StorageObserver | undefined;

  static async open(url: string, options: PostgresOptions = {}): Promise<PostgresStorage> {
    const storage = new PostgresStorage(url, options);
    try {
      await assertUsable(storage.reader);
      return storage;
    } catch (error) {
      await storage.close();
      if (error instanceof UnusableDatabase) throw error;
      const reason = reasonOf(error);
      if (isMissingDatabase(error)) {
        throw new DatabaseNotFound(`The PostgreSQL server responds: ${reason}. Create the database, or name another.`);
      }
      throw new UnusableDatabase(`The PostgreSQL database cannot be reached: ${reason}.`, { cause: error });
    }
  }

  constructor(
    url: string,
    { pools = { write: 10, read: 10, list: 10 }, onTimelineChanged = () => {} }: PostgresOptions = {},
  ) {
    const target = targetOf(connectionSettings(url));
    const onConnect = (client: pg.ClientBase) => this.#meetTimeline(client);
    this.#pool = newPool(target, { max: pools.write, onConnect, pipeline: true });
    this.#readPool = newPool(target, { max: pools.read, onConnect });
    this.#snapshotPool = newPool(target, { max: pools.list, onConnect });
    this.#timeline.onChange = (change) => {
      onTimelineChanged(change);
      this.#observer?.timelineChanged();
    };
    this.reader = new PostgresConnection(this.#readPool, builder, { asFailure: asStorageFailure });
    this.#lookups = new PostgresConnection(this.#readPool, builder, {
      asFailure: asStorageFailure,
      timeoutMs: lookupTimeoutMs,
    });
    this.migrator = postgresMigrator(
      this,
      new PostgresConnection(this.#readPool, builder, { asFailure: (error) => error }),
    );
    this.gate = postgresGate(this.#lookups);
    this.measures = postgresMeasures(this.reader, {
      write: this.#pool,
      read: this.#readPool,
      list: this.#snapshotPool,
    });
  }

  async write<Result>(work: (transaction: Connection) => Promise<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#transact(work);
      } catch (error) {
        if (!isLostRace(error) || attempt === attemptsMax) throw asStorageFailure(error);
        await sleep(Math.random() * 5 * 2 ** attempt);
      }
    }
  }

  snapshot<Item>(work: SnapshotWork<Item>): AsyncGenerator<Item, undefined> {
    return postgresSnapshot(this.#snapshotPool, builder, work);
  }

  observe(observer: StorageObserver): void {
    this.#observer = observer;
    for (const pool of [this.#pool, this.#readPool, this.#snapshotPool]) {
      pool.onWaited = (seconds) => observer.waited(seconds);
    }
  }

  async ping(): Promise<void> {
    // On a standby too.
    const query = sql<{ transaction_read_only: string }>`show transaction_read_only`.compile(builder);
    const [setting] = await this.#lookups.rows(query);
    if (setting?.transaction_read_only !== 'off') throw new StorageUnavailable('the database is read-only');
    // A pooler hides the new connections of its own.
    await this.#meetTimeline(this.#readPool);
  }

  warnings(): Promise<string[]> {
    return durabilityWarnings(this.reader);
  }

  async close(): Promise<void> {
    await Promise.all([this.#pool.end(), this.#readPool.end(), this.#snapshotPool.end()]);
  }

  /** A server begins another timeline only when it starts or is promoted, and both have new connections. */
  async #meetTimeline(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
    const timeline = await readTimeline(client, lookupTimeoutMs);
    if (timeline !== null) this.#timeline.meet(timeline);
  }

  async #transact<Result>(work: (transaction: Connection) => Promise<Result>): Promise<Result> {
    const client = await this.#pool.connect();
    let broken: Error | undefined;
    const onError = (error: Error) => {
      broken = error;
    };
    client.on('error', onError);
    try {
      // Each statement must see all earlier commits, regardless of the default isolation level.
      const begun = begin(client);
      const result = await work(new PostgresConnection(client, builder, { asFailure: (error) => error, begun }));
      await begun;
      // Lost before anything was sent: nothing was committed.
      if (broken) throw broken;
      const seconds = await commit(client);
      this.#observer?.committed({ seconds, writes: 1 });
      return result;
    } catch (error) {
      if (!(error instanceof UnknownOutcome)) await client.query('rollback').catch(onError);
      else onError(error);
      throw error;
    } finally {
      client.off('error', onError);
      client.release(broken);
    }
  }
}

/**
 * A write promises that it is on disk, and on a synchronous standby. A setting of the server, the database or the role
 * may promise less (`off`, `local`, `remote_write`) and is overridden; `remote_apply` promises more. In each transaction,
 * because a pooler may give the next one another connection to the server.
 */
const syncCommit = {
  name: 'sync-commit',
  text: `select set_config('synchronous_commit', 'on', true)
    where current_setting('synchronous_commit') not in ('on', 'remote_apply')`,
};

/** Both in one round trip. */
function begin(client: pg.PoolClient): Promise<void> {
  const sent = [client.query('begin isolation level read committed'), client.query(syncCommit)];
  const begun = Promise.all(sent).then(() => {});
  // The caller that awaits it handles the error.
  begun.catch(() => {});
  return begun;
}

/** Returns the duration in seconds. */
async function commit(client: pg.PoolClient): Promise<number> {
  const begunAt = performance.now();
  const { command } = await client.query('commit').catch((error: unknown) => {
    // With an SQLSTATE, the server rejected the commit. Without one, it may have committed.
    if (sqlState(error) !== undefined && !isConnectionLoss(error)) throw error;
    throw new UnknownOutcome('the connection was lost during a commit', { cause: error });
  });
  // After a failed statement PostgreSQL responds to `commit` with a rollback, and reports success.
  if (command !== 'COMMIT') throw new Error('a statement failed in the transaction, and its error was dropped');
  return (performance.now() - begunAt) / 1_000;
}
