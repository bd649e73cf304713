import type pg from 'pg';
import { type Connection, statementName } from '../query.ts';
import { reasonOf, UnknownOutcome } from '../storage-failure.ts';
import { type Execution, PostgresConnection } from './postgres-connection.ts';
import {
  asStorageFailure,
  isConnectionLoss,
  isLostStatement,
  isRefusedAfterFailure,
  isStaleStatement,
  sqlState,
} from './postgres-failure.ts';
import { refuseStandby, refusingStandby } from './postgres-server.ts';

/**
 * A write guarantees that it is on disk, and on a synchronous standby. A setting of the server, the database or the role
 * may guarantee less (`off`, `local`, `remote_write`) and is overridden; `remote_apply` guarantees more. In each transaction,
 * because a pooler may give the next one another connection to the server.
 */
const syncCommit = `select set_config('synchronous_commit', 'on', true)
  where current_setting('synchronous_commit') not in ('on', 'remote_apply')
  union all ${refusingStandby}`;
const syncCommitName = statementName(syncCommit);

const droppedError = 'a statement failed in the transaction, and its error was dropped';

/** The transaction of a write, on a connection of its own. */
export class Transaction {
  /** Settles when it has started. */
  readonly begun: Promise<void>;
  readonly #client: pg.PoolClient;
  readonly #isPrepared: boolean;
  #lostStatement: Error | undefined;
  #hasBegun = false;
  /** Whether the commit or the rollback was sent: a statement after it would be committed at once, or by another write. */
  #isOver = false;
  #failure: unknown;

  constructor(client: pg.PoolClient, isPrepared: boolean) {
    this.#client = client;
    this.#isPrepared = isPrepared;
    this.begun = this.#begin();
    // The caller that awaits it handles the error.
    this.begun.catch(() => {});
  }

  /** The error that refused to execute a prepared statement; then the connection is of no further use. */
  get lostStatement(): Error | undefined {
    return this.#lostStatement;
  }

  /** The connection for its work. */
  connect(): Connection {
    return new PostgresConnection((execution) => this.#execute(execution));
  }

  async #execute({ config, isSelect }: Execution): Promise<pg.QueryResult> {
    // A query may be sent right behind `begin`, which saves a round trip. A write waits: if `begin` failed, the
    // write would be committed at once.
    if (!isSelect && !this.#hasBegun) await this.begun;
    if (this.#isOver) throw new Error('the transaction is over');
    return this.#query(config);
  }

  async rollBack(): Promise<void> {
    this.#isOver = true;
    await this.#client.query('rollback');
  }

  /** Returns how long the commit took, in seconds. */
  async commit(): Promise<number> {
    let unconfirmed: string | undefined;
    const onNotice = ({ routine, message }: { routine: string | undefined; message: string | undefined }) => {
      if (routine === 'SyncRepWaitForLSN') unconfirmed = message ?? 'the standby has not confirmed a commit';
    };
    this.#client.on('notice', onNotice);
    const { command, seconds } = await this.#commit().finally(() => this.#client.off('notice', onNotice));
    // An administrator has cancelled the wait for the standby: a failover may lose what the server reports as committed.
    if (unconfirmed !== undefined) throw new UnknownOutcome(unconfirmed);
    // After a failed statement PostgreSQL responds to `commit` with a rollback, and reports success.
    if (command !== 'COMMIT') throw new Error(droppedError);
    return seconds;
  }

  /**
   * The cause of a failed work. Its own error means nothing if the transaction did not start or lost a statement, or if
   * it only follows an earlier failure.
   */
  async causeOf(error: unknown): Promise<unknown> {
    const reason = await this.begun.then(() => error).catch((cause: unknown) => cause);
    return this.#lostStatement ?? (isRefusedAfterFailure(reason) ? this.#failure : reason);
  }

  async #commit(): Promise<{ command: string; seconds: number }> {
    this.#isOver = true;
    const begunAt = performance.now();
    try {
      const { command } = await this.#client.query('commit');
      return { command, seconds: (performance.now() - begunAt) / 1_000 };
    } catch (error) {
      // With an SQLSTATE, the server rejected the commit. Without one, it may have committed.
      if (sqlState(error) !== undefined && !isConnectionLoss(error)) throw error;
      throw new UnknownOutcome('the connection was lost during a commit', { cause: error });
    }
  }

  /** Both in one round trip. Each statement must see all earlier commits, regardless of the default isolation level. */
  async #begin(): Promise<void> {
    const begun = this.#client.query('begin isolation level read committed');
    await Promise.all([begun, this.#query({ name: syncCommitName, text: syncCommit })]);
    this.#hasBegun = true;
  }

  async #query({ name, ...unnamed }: pg.QueryConfig): Promise<pg.QueryResult> {
    const isNamed = name !== undefined && this.#isPrepared;
    return this.#client.query(isNamed ? { name, ...unnamed } : unnamed).catch((error: unknown) => {
      this.#failure ??= error;
      if (error instanceof Error && (isLostStatement(error) || isStaleStatement(error))) this.#lostStatement ??= error;
      throw error;
    });
  }
}

interface ReadOptions {
  statements: PreparedStatements;
  /** Whether the read needs a transaction to know that it is on a primary. */
  isPooled: () => boolean;
  /** How long a query may take; then it fails as unavailable, and the pool replaces its connection. */
  timeoutMs?: number;
}

/** Executes single statements, each on the connection of a pool that is idle. */
export function executeOn(pool: pg.Pool, { statements, isPooled, timeoutMs }: ReadOptions) {
  const timeout = timeoutMs === undefined ? {} : { query_timeout: timeoutMs };
  return async ({ config: { name, ...unnamed }, returnsRows }: Execution): Promise<pg.QueryResult> => {
    const attempt = (config: pg.QueryConfig) =>
      returnsRows && isPooled() ? readOnPrimary(pool, config) : pool.query({ ...config, ...timeout });
    try {
      if (name === undefined || !statements.areUsed) return await attempt(unnamed);
      return await attempt({ name, ...unnamed }).catch((error: unknown) => {
        if (!statements.areCauseOf(error)) throw error;
        return attempt(unnamed);
      });
    } catch (error) {
      throw asStorageFailure(error);
    }
  };
}

/** In a transaction, which no pooler spreads over several servers. In one round trip. */
async function readOnPrimary(pool: pg.Pool, config: pg.QueryConfig): Promise<pg.QueryResult> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    const begun = client.query(`begin; select ${refuseStandby}`);
    const [, result] = await Promise.all([begun, client.query(config), client.query('commit')]);
    return result;
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
    throw error;
  } finally {
    client.release(failure);
  }
}

/**
 * Whether statements are prepared: parsed once on a connection, and executed by name from then on. Behind a pooler that
 * gives each transaction another connection to the server, the name may be unknown there, or in use already. A name is
 * a hash of the text, so it never stands for another statement, regardless of the program that prepared it.
 */
export class PreparedStatements {
  areUsed: boolean;
  readonly #onGivenUp: (reason: string) => void;

  constructor(areUsed: boolean, onGivenUp: (reason: string) => void) {
    this.areUsed = areUsed;
    this.#onGivenUp = onGivenUp;
  }

  /**
   * Whether the same work succeeds without names: the server refused to execute a prepared statement, and so did not.
   * If a pooler is the cause, gives up names for as long as this process runs.
   */
  areCauseOf(error: unknown): boolean {
    if (this.areUsed && isLostStatement(error)) {
      this.areUsed = false;
      this.#onGivenUp(reasonOf(error));
    }
    return isLostStatement(error) || isStaleStatement(error);
  }
}
