import { createHash } from 'node:crypto';
import {
  deleteIdempotencyKey,
  deleteIdempotencyKeysUntil,
  findIdempotencyKey,
  insertIdempotencyKey,
  lockIdempotencyKey,
} from '../storage/idempotency-keys.ts';
import type { Connection } from '../storage/query.ts';
import type { Storage } from '../storage/storage.ts';
import { Failure } from './failure.ts';
import type { Registry } from './registry.ts';

/** How long the answer to a key is kept (decision 23). */
const keptMs = 86_400_000;

/** A change that its caller may ask for again under the same key. */
export interface KeyedChange {
  tokenId: string;
  key: string;
  /** All that makes it this change: another one under the same key is refused. */
  content: unknown;
}

/** The answers under way in this process, by storage. */
const atWork = new WeakMap<Storage, Set<string>>();

/**
 * Does the work in one transaction, and under a key only once: a repeat gets the first answer, which is
 * stored with the work. What is refused stores nothing, so that a repeat is judged anew. Refuses with
 * `request_in_progress` or `idempotency_key_reused`.
 */
export async function writeOnce<Answer extends object>(
  registry: Registry,
  keyed: KeyedChange | undefined,
  work: (transaction: Connection) => Promise<Answer>,
): Promise<Answer & { isReplayed: boolean }> {
  const { storage } = registry;
  if (!keyed) return { ...(await storage.write(work)), isReplayed: false };
  return alone(storage, `${keyed.tokenId} ${keyed.key}`, () =>
    storage.write((transaction) => workOnce(registry, keyed, { transaction, work })),
  );
}

/** Deletes the keys whose time is over. Answers how many. */
export function pruneIdempotencyKeys({ storage, now }: Registry): Promise<number> {
  return storage.write((transaction) => deleteIdempotencyKeysUntil(transaction, { time: now() - keptMs }));
}

async function alone<Result>(storage: Storage, id: string, work: () => Promise<Result>): Promise<Result> {
  const ids = atWork.get(storage) ?? new Set<string>();
  atWork.set(storage, ids);
  if (ids.has(id)) throw inProgress();
  ids.add(id);
  try {
    return await work();
  } finally {
    ids.delete(id);
  }
}

interface Work<Answer> {
  transaction: Connection;
  work: (transaction: Connection) => Promise<Answer>;
}

async function workOnce<Answer extends object>(
  { storage, now }: Registry,
  { tokenId, key, content }: KeyedChange,
  { transaction, work }: Work<Answer>,
): Promise<Answer & { isReplayed: boolean }> {
  // Before the key is looked for, in a statement of its own: then the first one's row is seen.
  if (!(await lockIdempotencyKey(transaction, storage.engine, { tokenId, key }))) throw inProgress();
  const requestHash = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  const at = now();
  const first = await findIdempotencyKey(transaction, { tokenId, key });
  if (first && first.created_at > at - keptMs) {
    if (first.request_hash !== requestHash) throw reused();
    return { ...JSON.parse(first.answer), isReplayed: true };
  }
  if (first) await deleteIdempotencyKey(transaction, { tokenId, key });

  const answer = await work(transaction);
  await insertIdempotencyKey(transaction, {
    token_id: tokenId,
    key,
    request_hash: requestHash,
    answer: JSON.stringify(answer),
    created_at: at,
  });
  return { ...answer, isReplayed: false };
}

function inProgress(): Failure {
  return new Failure(
    'request_in_progress',
    'The first request with this Idempotency-Key is still at work. Repeat this one in a moment to get its answer.',
  );
}

function reused(): Failure {
  return new Failure(
    'idempotency_key_reused',
    'This Idempotency-Key was used for another update. Send each update with a key of its own.',
  );
}
