import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type pg from 'pg';
import { type KnownSchemas, knownSchemas } from '../migrations/known-schemas.ts';
import { postgresConfig } from '../postgres-url.ts';
import { type Connection, defineFind, defineList, type SnapshotWork } from '../query.ts';
import type { RequestLookups } from '../request-lookups.ts';
import { groupWrites } from '../speed/postgres-write-groups.ts';
import type {
  Measures,
  Migrator,
  PostgresOptions,
  SchemaReader,
  Storage,
  StorageObserver,
  WriteWork,
} from '../storage.ts';
import { DatabaseNotFound, PrimaryRequired, reasonOf, UnknownOutcome, UnusableDatabase } from '../storage-failure.ts';
import { columns } from '../tables.ts';
import { type Execution, PostgresConnection, PostgresPool } from './postgres-connection.ts';
import { builder, postgresFeedOrder, postgresLookups } from './postgres-dialect.ts';
import { asStorageFailure, isLostRace, isMissingDatabase } from './postgres-failure.ts';
import { postgresMigrator, postgresSchemaReader } from './postgres-schema.ts';
import { assertCapabilities, assertChangeable, assertUsable, durabilityWarnings, Server } from './postgres-server.ts';
import { postgresSnapshot } from './postgres-snapshot.ts';
import { executeOn, PreparedStatements, Transaction } from './postgres-transaction.ts';

/** A lookup takes a millisecond. If it takes this long the server does not respond, even though its machine does. */
const lookupTimeoutMs = 5_000;
const attemptsMax = 6;
/** Number of connections. */
const reservedForWrites = 2;

/** PostgreSQL 15 or newer, or a compatible server. Any number of processes may share it. */
export class PostgresStorage implements Storage {
  readonly engine = 'postgres';
  readonly reader: Connection;
  readonly requestLookups: RequestLookups;
  readonly measures: Measures;
  readonly schemas: KnownSchemas;
  readonly schemaReader: SchemaReader;
  readonly feedOrder = postgresFeedOrder;
  readonly migrator: Migrator;
  readonly #server = new Server(lookupTimeoutMs);
  readonly #statements: PreparedStatements;
  /** For writes. */
  readonly #pool: PostgresPool;
  /** Separate, so that a read never waits for a write that waits for a lock. */
  readonly #readPool: PostgresPool;
  /** Separate, because a snapshot lasts as long as its reader takes. */
  readonly #snapshotPool: PostgresPool;
  readonly snapshotsAtOnce: number;
  /** Every request makes a lookup first, so that only those already under way wait for a server that does not respond. */
  readonly #lookups: Connection;
  #observer: StorageObserver | undefined;
  /** While one is under way. */
  #ping: Promise<void> | undefined;

  static async open(url: string, options: PostgresOptions = {}): Promise<PostgresStorage> {
    const storage = new PostgresStorage(url, options);
    // Without this line, each write has a transaction of its own.
    storage.write = groupWrites(storage.write.bind(storage));
    try {
      await assertUsable(storage.reader);
      await assertCapabilities({ write: (work) => storage.write(work), lookups: storage.#lookups });
      return storage;
    } catch (error) {
      await storage.close();
      if (error instanceof UnusableDatabase) throw error;
      const reason = reasonOf(error);
      if (isMissingDatabase(error))
        throw new DatabaseNotFound(`The PostgreSQL server reported: ${reason}. Create the database, or use another.`);
      throw new UnusableDatabase(`The PostgreSQL database cannot be reached: ${reason}.`, { cause: error });
    }
  }

  constructor(
    url: string,
    {
      pools = { write: 10, read: 10, list: 10 },
      prepare = true,
      onUnprepared = () => {},
      onTimelineChanged = () => {},
      schemas = knownSchemas,
    }: PostgresOptions = {},
  ) {
    this.schemas = schemas;
    this.schemaReader = postgresSchemaReader(schemas);
    const config = { ...postgresConfig(url), onConnect: this.#server.inspectConnection };
    // Some stay open while idle, so that reads cannot use up all that the server accepts.
    const reserved = Math.min(reservedForWrites, pools.write);
    this.#pool = new PostgresPool({ ...config, min: reserved, max: pools.write, pipeline: true });
    this.#readPool = new PostgresPool({ ...config, max: pools.read, pipeline: true });
    this.#snapshotPool = new PostgresPool({ ...config, max: pools.list });
    this.snapshotsAtOnce = pools.list;
    this.#server.onTimelineChanged = (change) => {
      onTimelineChanged(change);
      this.#observer?.timelineChanged();
    };
    const statements = new PreparedStatements(prepare, onUnprepared);
    this.#statements = statements;
    const reads = executeOn(this.#readPool, { statements, isPooled: () => this.#server.isPooled });
    this.reader = new PostgresConnection(reads);
    const lookups = executeOn(this.#readPool, {
      statements,
      // `RequestLookups` checks in its statement, and no other reads depend on the server that responds.
      isPooled: () => false,
      timeoutMs: lookupTimeoutMs,
    });
    this.#lookups = new PostgresConnection(lookups);
    // With the errors of PostgreSQL, and without names.
    const execute = ({ config }: Execution) => this.#readPool.query({ ...config, name: undefined });
    this.migrator = postgresMigrator({
      write: (work) => this.write(work),
      // On another pool than the steps: a pool of one connection would wait for itself.
      hold: (work) => this.#transact(work, { pool: this.#snapshotPool, isPrepared: false }).catch(throwAsFailure),
      connection: new PostgresConnection(execute),
      schemas,
    });
    this.requestLookups = postgresLookups(this.#lookups);
    this.measures = postgresMeasures(this.reader, {
      write: this.#pool,
      read: this.#readPool,
      list: this.#snapshotPool,
    });
  }

  async write<Result>(work: WriteWork<Result>): Promise<Result> {
    let isPrepared = this.#statements.areUsed;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#transact(work, { pool: this.#pool, isPrepared });
      } catch (error) {
        if (attempt === attemptsMax) throw asStorageFailure(error);
        if (isPrepared && this.#statements.areCauseOf(error)) isPrepared = false;
        else if (isLostRace(error)) await sleep(Math.random() * 5 * 2 ** attempt);
        else throw asStorageFailure(error);
      }
    }
  }

  snapshot<Item>(work: SnapshotWork<Item>): AsyncGenerator<Item, undefined> {
    return postgresSnapshot(this.#snapshotPool, work);
  }

  observe(observer: StorageObserver): void {
    this.#observer = observer;
    for (const pool of [this.#pool, this.#readPool, this.#snapshotPool])
      pool.onWaited = (seconds) => observer.waited(seconds);
  }

  ping(): Promise<void> {
    // Those who ask at the same time share one attempt, however many they are.
    this.#ping ??= this.#tryOut().finally(() => {
      this.#ping = undefined;
    });
    return this.#ping;
  }

  /** Does what requests do, so that what fails there fails here. */
  async #tryOut(): Promise<void> {
    await Promise.all([this.requestLookups.findToken(''), this.requestLookups.findPlatformRevision('')]);
    const query = sql<{ transaction_read_only: string }>`show transaction_read_only`.compile(builder);
    const [setting] = await this.#lookups.rows(query);
    if (setting?.transaction_read_only !== 'off') throw new PrimaryRequired('the database is read-only');
    await this.#server.inspect(this.#readPool).catch(throwAsFailure);
    await assertChangeable({ write: (work) => this.write(work), lookups: this.#lookups, timeoutMs: lookupTimeoutMs });
  }

  warnings(): Promise<string[]> {
    return durabilityWarnings(this.reader);
  }

  async close(): Promise<void> {
    await Promise.all([this.#pool.end(), this.#readPool.end(), this.#snapshotPool.end()]);
  }

  async #transact<Result>(
    work: WriteWork<Result>,
    { pool, isPrepared }: { pool: PostgresPool; isPrepared: boolean },
  ): Promise<Result> {
    const client = await pool.connect();
    let broken: Error | undefined;
    const onError = (error: Error) => {
      broken = error;
    };
    client.on('error', onError);
    const transaction = new Transaction(client, isPrepared);
    try {
      const result = await work(transaction.connect());
      await transaction.begun;
      // Lost before anything was sent: nothing was committed.
      if (broken) throw broken;
      const seconds = await transaction.commit();
      this.#observer?.committed({ seconds, writes: 1 });
      return result;
    } catch (error) {
      if (!(error instanceof UnknownOutcome)) await transaction.rollBack().catch(onError);
      else onError(error);
      throw await transaction.causeOf(error);
    } finally {
      client.off('error', onError);
      client.release(broken ?? transaction.lostStatement);
    }
  }
}

function throwAsFailure(error: unknown): never {
  throw asStorageFailure(error);
}

const findSize = defineFind((db) => {
  const size = sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`;
  return { compile: () => size.compile(db) };
});

const findTime = defineFind((db) => {
  const time = sql<{ at: number }>`select (extract(epoch from clock_timestamp()) * 1000)::bigint as at`;
  return { compile: () => time.compile(db) };
});

/** With indexes and long values; the number of rows is that of the last analysis. */
const listTableSizes = defineList((db) => {
  const sizes = sql<{ name: string; rows: number; bytes: number }>`
    select relname as name, greatest(reltuples, 0)::bigint as rows, pg_total_relation_size(oid) as bytes
    from pg_class where relname = any(${Object.keys(columns)}) and relkind = 'r' and pg_table_is_visible(oid) order by relname`;
  return { compile: () => sizes.compile(db) };
});

/** The log, disk and backups belong to the server, not to one database: the operator of the server monitors them. */
function postgresMeasures(reader: Connection, pools: Record<string, pg.Pool>): Measures {
  return {
    databaseBytes: async () => (await findSize(reader, {}))?.bytes ?? 0,
    async tables() {
      const sizes = await listTableSizes(reader, {});
      return Object.fromEntries(sizes.map(({ name, rows, bytes }) => [name, { rows, bytes }]));
    },
    clockOffsetMs: (connection = reader) => clockOffsetMs(connection),
    // An idle connection is handed out in the next turn: nothing waits for it.
    waiting: async () =>
      Object.fromEntries(
        Object.entries(pools).map(([name, { waitingCount, idleCount }]) => [
          name,
          Math.max(0, waitingCount - idleCount),
        ]),
      ),
  };
}

/**
 * Measured against the moments before and after the query, whichever is nearer, since the duration of the query is not
 * clock offset.
 */
async function clockOffsetMs(reader: Connection): Promise<number> {
  const before = Date.now();
  const at = (await findTime(reader, {}))?.at ?? before;
  return at < before ? at - before : Math.max(0, at - Date.now());
}
