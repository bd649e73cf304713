import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import { StorageUnavailable, UnusableDatabase } from '../failure.ts';
import type { Connection } from '../query.ts';
import { sqlState } from './failure.ts';

/** A random key differs from those of other processes that start now. */
const keyMax = 2 ** 47;

interface Capabilities {
  write<Result>(work: (transaction: Connection) => Promise<Result>): Promise<Result>;
  /** On another connection, with a time limit. */
  lookups: Connection;
}

/**
 * Tests features that some servers accept without implementing them, or implement under another name, and throws
 * `UnusableDatabase` if this server is one of them: advisory locks, which let one process migrate and one request use
 * an `Idempotency-Key`, and the isolation level, under which a statement sees what the lock it waited for has
 * protected.
 */
export async function assertCapabilities({ write, lookups }: Capabilities): Promise<void> {
  const key = randomInt(keyMax);
  const { isolation, isFree } = await write(async (transaction) => {
    await lock(transaction, key);
    return { isolation: await isolationOf(transaction), isFree: await isLockFree(lookups, key) };
  });
  if (isFree) {
    throw new UnusableDatabase(
      'The advisory locks of this server do not exclude each other, so two processes could do the work of one at the same time. Use PostgreSQL, or enable advisory locks on the server.',
    );
  }
  if (isolation !== 'read committed') {
    throw new UnusableDatabase(
      `This server runs READ COMMITTED transactions as ${isolation.toUpperCase()}, in which writes that wait for each other fail. Use PostgreSQL, or enable READ COMMITTED on the server.`,
    );
  }
}

async function lock(transaction: Connection, key: number): Promise<void> {
  try {
    await transaction.rows(sql`select pg_advisory_xact_lock(${String(key)}::bigint)`.compile(transaction.builder));
  } catch (error) {
    // undefined_function, feature_not_supported
    if (!/^(?:42883|0A000)$/.test(sqlState(error) ?? '')) throw error;
    throw new UnusableDatabase(
      `This server has no advisory locks (${error instanceof Error ? error.message : error}). Use PostgreSQL.`,
    );
  }
}

/** YugabyteDB reports the requested level, and the one that it uses under a name of its own. */
async function isolationOf(transaction: Connection): Promise<string> {
  const query = sql<{ isolation: string }>`
    select coalesce(
      nullif(current_setting('yb_effective_transaction_isolation_level', true), ''),
      current_setting('transaction_isolation')
    ) as isolation`;
  const [level] = await transaction.rows(query.compile(transaction.builder));
  return level?.isolation.toLowerCase() ?? '';
}

/** Also false if there is no second connection, as behind a pooler with a single one. */
async function isLockFree(lookups: Connection, key: number): Promise<boolean> {
  const query = sql<{ taken: boolean }>`select pg_try_advisory_xact_lock(${String(key)}::bigint) as taken`;
  try {
    const [lockResult] = await lookups.rows(query.compile(lookups.builder));
    return lockResult?.taken === true;
  } catch (error) {
    if (error instanceof StorageUnavailable) return false;
    throw error;
  }
}
