import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { type Connection, change, find, insert } from '../query.ts';
import type { Storage } from '../storage.ts';
import { columns } from '../tables.ts';

interface TokenKey {
  tokenId: string;
  key: string;
}

/**
 * Inside a write: locks a token's key until the write ends. Returns false if another write holds it. SQLite runs
 * writes one at a time, so the lock is always free.
 */
export async function lockIdempotencyKey(
  transaction: Connection,
  engine: Storage['engine'],
  { tokenId, key }: TokenKey,
): Promise<boolean> {
  if (engine === 'sqlite') return true;
  const id = createHash('sha256').update(`${tokenId} ${key}`).digest().readBigInt64BE();
  const query = sql<{ locked: boolean }>`select pg_try_advisory_xact_lock(${String(id)}::bigint) as locked`;
  const [result] = await transaction.rows(query.compile(transaction.builder));
  return result?.locked === true;
}

export const findIdempotencyKey = find((db, { tokenId, key }: TokenKey) =>
  db
    .selectFrom('idempotency_keys')
    .select(columns.idempotency_keys)
    .where('token_id', '=', tokenId)
    .where('key', '=', key),
);

export const insertIdempotencyKey = insert('idempotency_keys');

export const deleteIdempotencyKey = change((db, { tokenId, key }: TokenKey) =>
  db.deleteFrom('idempotency_keys').where('token_id', '=', tokenId).where('key', '=', key),
);

/** Deletes the keys stored at or before a time. */
export const deleteIdempotencyKeysUntil = change((db, { time }: { time: number }) =>
  db.deleteFrom('idempotency_keys').where('created_at', '<=', time),
);
