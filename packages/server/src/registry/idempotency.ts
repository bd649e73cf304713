import { createHash } from 'node:crypto';
import {
  deleteIdempotencyKey,
  deleteIdempotencyKeysUntil,
  findIdempotencyKey,
  insertIdempotencyKey,
  lockIdempotencyKey,
} from '../storage/queries/idempotency-keys.ts';
import type { Connection } from '../storage/query.ts';
import type { Storage } from '../storage/storage.ts';
import { Failure } from './failure.ts';
import type { Caller, Registry } from './registry.ts';

/** How long the answer to a key is kept (decision 23). */
const retentionMs = 86_400_000;

/** A change that its caller may ask for again under the same key. */
export interface RepeatableChange<Answer> {
  /** All that makes it this change: another one under the same key is refused. */
  content: readonly unknown[];
  /** Answers what is stored for a repeat, as JSON: never a secret, and nothing of a person. */
  work: (transaction: Connection) => Promise<Answer>;
  /** Refuses a repeat that the first answer cannot be given to. */
  refuseRepeat?: (first: Answer) => never;
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
  caller: Caller,
  change: RepeatableChange<Answer>,
): Promise<Answer> {
  const { storage } = registry;
  if (!caller.idempotency) return storage.write(change.work);
  const { key, onReplay } = caller.idempotency;
  const { answer, isReplayed } = await alone(storage, `${caller.actor} ${key}`, () =>
    storage.write((transaction) => workOnce(registry, { transaction, tokenId: caller.actor, key }, change)),
  );
  if (!isReplayed) return answer;
  change.refuseRepeat?.(answer);
  onReplay();
  return answer;
}

/** Deletes the keys whose time is over. Answers how many. */
export function pruneIdempotencyKeys({ storage, now }: Registry): Promise<number> {
  return storage.write((transaction) => deleteIdempotencyKeysUntil(transaction, { time: now() - retentionMs }));
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

interface KeyedWrite {
  transaction: Connection;
  tokenId: string;
  key: string;
}

async function workOnce<Answer extends object>(
  { storage, now }: Registry,
  { transaction, tokenId, key }: KeyedWrite,
  { content, work }: RepeatableChange<Answer>,
): Promise<{ answer: Answer; isReplayed: boolean }> {
  // Before the key is looked for, in a statement of its own: then the first one's row is seen.
  if (!(await lockIdempotencyKey(transaction, storage.engine, { tokenId, key }))) throw inProgress();
  const requestHash = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  const at = now();
  const first = await findIdempotencyKey(transaction, { tokenId, key });
  if (first && first.created_at > at - retentionMs) {
    if (first.request_hash !== requestHash) throw reused();
    return { answer: JSON.parse(first.answer), isReplayed: true };
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
  return { answer, isReplayed: false };
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
    'This Idempotency-Key was used for another request. Send each request with a key of its own.',
  );
}
