import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { type Connection, change, find, insert } from '../query.ts';
import type { Storage } from '../storage.ts';
import { columns, type ResponseTextRow } from '../tables.ts';

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

interface UsedText extends ResponseTextRow {
  /** A use at this time or later is not recorded again, so that the row of a text in constant use is rarely written. */
  recent: number;
}

/** Stores a text, or the use of a text that is stored. Returns 0 if nothing was to be written. */
export const storeResponseText = change((db, { hash, text, used_at, recent }: UsedText) =>
  db
    .insertInto('response_texts')
    .values({ hash, text, used_at })
    .onConflict((conflict) =>
      conflict.column('hash').doUpdateSet({ used_at }).where('response_texts.used_at', '<', recent),
    ),
);

/** The stored ones of these texts. */
export async function listResponseTexts(connection: Connection, hashes: string[]): Promise<{ text: string }[]> {
  return connection.rows(
    connection.builder.selectFrom('response_texts').select('text').where('hash', 'in', hashes).compile(),
  );
}

/** Deletes the texts that were last used at or before a time. */
export const deleteResponseTextsUntil = change((db, { time }: { time: number }) =>
  db.deleteFrom('response_texts').where('used_at', '<=', time),
);
