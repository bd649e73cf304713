import type pg from 'pg';
import type { Execution } from './connection.ts';
import { asStorageFailure, isLostStatement, isStaleStatement, reasonOf } from './failure.ts';
import { refuseStandby } from './server.ts';

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
