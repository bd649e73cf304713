import { createHash } from 'node:crypto';
import {
  deleteIdempotencyKey,
  deleteIdempotencyKeysUntil,
  findIdempotencyKey,
  insertIdempotencyKey,
  lockIdempotencyKey,
} from '../storage/kernel-queries.ts';
import type { Connection } from '../storage/query.ts';
import type { Storage, WriteWork } from '../storage/storage.ts';
import type { IdempotencyKeyRow } from '../storage/tables.ts';
import { Failure } from './failure.ts';
import type { Caller, Registry } from './registry.ts';
import { trustedTime } from './time.ts';

/** How long the response to a key is retained. */
const retentionMs = 86_400_000;

/** A change that its caller may retry under the same key. */
export interface IdempotentChange<Result> {
  /** All that identifies this change: a different one under the same key is refused. */
  content: readonly unknown[];
  /** Returns what is stored as JSON and returned to a retry: no secret and no personal data. */
  work: WriteWork<Result>;
  /** Refuses a retry for which the first result cannot be returned. */
  refuseRetry?: (first: Result) => never;
  /** The app that the work locks first, where it may share transactions: see `WriteOptions`. */
  groupKey?: string | undefined;
  /** How the result is stored; as plain JSON without it. */
  resultCodec?: ResultCodec<Result>;
}

export interface ResultCodec<Result> {
  /** Returns what the row holds, as JSON. */
  store: (result: Result) => string;
  /** Returns null when it is no longer complete, which counts as expired. */
  restore: (transaction: Connection, stored: string) => Promise<Result | null>;
}

/** The keys in use in this process, by storage. */
const keysInProgress = new WeakMap<Storage, Set<string>>();

/**
 * Runs the work in one transaction, and only once under a key: a retry gets the first result, which is stored in that
 * transaction. A refusal stores nothing, so a retry is validated again. Refuses with `request_in_progress` or
 * `idempotency_key_reused`.
 */
export async function writeIdempotently<Result extends object>(
  registry: Registry,
  caller: Caller,
  change: IdempotentChange<Result>,
): Promise<Result> {
  const { storage } = registry;
  const { groupKey } = change;
  if (!caller.idempotency) return storage.write(change.work, { groupKey });
  const { key, onReplay } = caller.idempotency;
  const { result, isReplayed } = await withExclusiveKey(storage, `${caller.actor} ${key}`, () =>
    storage.write((transaction) => workOrReplay(registry, { transaction, tokenId: caller.actor, key }, change), {
      groupKey,
    }),
  );
  if (!isReplayed) return result;
  change.refuseRetry?.(result);
  onReplay();
  return result;
}

/**
 * Runs the work of an operation in one transaction. Under a key of the caller, a retry of the same operation with the same
 * input gets the first result. Refuses with `request_in_progress` or `idempotency_key_reused`.
 */
export function write<Result extends object>(
  registry: Registry,
  caller: Caller,
  work: WriteWork<Result>,
  options: Omit<IdempotentChange<Result>, 'content' | 'work'> = {},
): Promise<Result> {
  return writeIdempotently(registry, caller, { ...options, content: caller.idempotency?.content ?? [], work });
}

/**
 * The first result under the caller's key, if there is one: for a change whose work before its transaction must not, or
 * cannot, be repeated by a retry. Refuses with `idempotency_key_reused`.
 */
export async function findFirstResult<Result extends object>(
  registry: Registry,
  { actor, idempotency }: Caller,
  change: Pick<IdempotentChange<Result>, 'content' | 'resultCodec'>,
): Promise<Result | null> {
  if (!idempotency) return null;
  const { reader } = registry.storage;
  const row = await findIdempotencyKey(reader, { tokenId: actor, key: idempotency.key });
  const result = row && (await restoreFirst(registry, reader, { row, change }));
  if (result) idempotency.onReplay();
  return result;
}

/** The codec of a result with a row whose confidential columns are not stored: a retry gets them as they are by then. */
export function withoutColumns<Row extends object, Result extends { row: Row }>(
  confidential: readonly (keyof Row)[],
  findRow: (transaction: Connection, stored: Row) => Promise<Row | null>,
): ResultCodec<Result> {
  return {
    store(result) {
      const row: Partial<Row> = { ...result.row };
      for (const column of confidential) delete row[column];
      return JSON.stringify({ ...result, row });
    },
    async restore(transaction, stored) {
      const { row, ...rest } = JSON.parse(stored);
      const current = await findRow(transaction, row);
      return current && { ...rest, row: { ...current, ...row } };
    },
  };
}

/** Deletes the keys whose retention has ended. Returns their number. */
export async function pruneIdempotencyKeys(registry: Registry): Promise<number> {
  const time = (await trustedTime(registry)) - retentionMs;
  return registry.storage.write((transaction) => deleteIdempotencyKeysUntil(transaction, { time }));
}

async function withExclusiveKey<Result>(storage: Storage, id: string, work: () => Promise<Result>): Promise<Result> {
  const ids = keysInProgress.get(storage) ?? new Set<string>();
  keysInProgress.set(storage, ids);
  if (ids.has(id)) throw inProgress();
  ids.add(id);
  try {
    return await work();
  } finally {
    ids.delete(id);
  }
}

async function workOrReplay<Result extends object>(
  registry: Registry,
  { transaction, tokenId, key }: { transaction: Connection; tokenId: string; key: string },
  change: IdempotentChange<Result>,
): Promise<{ result: Result; isReplayed: boolean }> {
  const { storage, now } = registry;
  const { content, work, resultCodec = plainJson<Result>() } = change;
  // The lock is a statement of its own, before the key is read: the read then sees the row of the first request.
  if (!(await lockIdempotencyKey(transaction, storage.engine, { tokenId, key }))) throw inProgress();
  const at = now();
  const row = await findIdempotencyKey(transaction, { tokenId, key });
  const first = row && (await restoreFirst(registry, transaction, { row, change }));
  if (first) return { result: first, isReplayed: true };
  if (row) await deleteIdempotencyKey(transaction, { tokenId, key });

  const result = await work(transaction);
  await insertIdempotencyKey(transaction, {
    token_id: tokenId,
    key,
    request_hash: hashOf(content),
    response: resultCodec.store(result),
    created_at: at,
  });
  return { result, isReplayed: false };
}

/** The result that is stored under a key; null when it has expired. */
async function restoreFirst<Result extends object>(
  registry: Registry,
  connection: Connection,
  {
    row,
    change: { content, resultCodec = plainJson<Result>() },
  }: { row: IdempotencyKeyRow; change: Pick<IdempotentChange<Result>, 'content' | 'resultCodec'> },
): Promise<Result | null> {
  // Also by the trusted time: a clock that is ahead for a moment must not let a change be made twice.
  const until = row.created_at + retentionMs;
  if (until <= registry.now() && until <= (await trustedTime(registry, connection))) return null;
  if (row.request_hash !== hashOf(content)) {
    const detail = 'This Idempotency-Key was used for a different request. Use a new key for each request.';
    throw new Failure('idempotency_key_reused', detail);
  }
  return resultCodec.restore(connection, row.response);
}

function hashOf(content: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}

function plainJson<Result>(): ResultCodec<Result> {
  return {
    store: (result) => JSON.stringify(result),
    restore: async (_, stored) => JSON.parse(stored),
  };
}

function inProgress(): Failure {
  return new Failure(
    'request_in_progress',
    'The first request with this Idempotency-Key is still in progress. Retry in a moment to get its response.',
  );
}
