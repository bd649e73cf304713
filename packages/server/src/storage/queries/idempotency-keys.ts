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
 * Inside a write: makes this write the one that works under a key of a token until it ends. False when
 * another one does. On SQLite there is never another one, since writes come one after another.
 */
export async function lockIdempotencyKey(
  transaction: Connection,
  engine: Storage['engine'],
  { tokenId, key }: TokenKey,
): Promise<boolean> {
  if (engine === 'sqlite') return true;
  const id = createHash('sha256').update(`${tokenId} ${key}`).digest().readBigInt64BE();
  const question = sql<{ locked: boolean }>`select pg_try_advisory_xact_lock(${String(id)}::bigint) as locked`;
  const [answer] = await transaction.rows(question.compile(transaction.builder));
  return answer?.locked === true;
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

/** Deletes the keys that were stored at this time or earlier. */
export const deleteIdempotencyKeysUntil = change((db, { time }: { time: number }) =>
  db.deleteFrom('idempotency_keys').where('created_at', '<=', time),
);
