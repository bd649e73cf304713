import { sql } from 'kysely';
import { BatchLoader, type Gate, type GateQueries, type GateResults } from '../gate.ts';
import { type GateToken, gateTokenColumns } from '../queries/access-tokens.ts';
import { changesToApproved, developerStamp, platformRevisionText } from '../queries/platform-apps.ts';
import { type Connection, list } from '../query.ts';
import type { SqliteChanges } from './changes.ts';

/** A few megabytes. */
const cachedMax = 10_000;
/** While a batch waits for the disk, others are read. */
const readsAtOnceMax = 4;

/** Any number of keys at once: a message to a thread for each would cost more than its lookup. */
const listTokens = list((db, { keys }: { keys: string }) =>
  db
    .selectFrom('access_tokens')
    .select(['hash', ...gateTokenColumns])
    .where('hash', 'in', eachOf(keys)),
);
const listRevisions = list((db, { keys }: { keys: string }) =>
  db
    .selectFrom('apps')
    .select(['id', 'platform_revision', 'platform_revision_stamp', developerStamp, changesToApproved])
    .where('id', 'in', eachOf(keys)),
);

export interface SqliteGateParts {
  reader: Connection;
  /** Resolves when a cached result is current, if its row is unchanged. */
  requireCurrent: () => Promise<void>;
  changes: SqliteChanges;
}

/**
 * Caches results until the row changes; checking for a change costs a tenth of a query. Cached results never wait for
 * reads.
 */
export function sqliteGate({ reader, requireCurrent, changes }: SqliteGateParts): Gate {
  const cache = new GateCache(changes);
  const cached = new BatchLoader(async () => {
    await requireCurrent();
    return cache.current();
  }, 1);
  const stored = new BatchLoader((queries) => cache.read(reader, queries), readsAtOnceMax);
  return {
    findToken: async (hash) => (await cached.findToken(hash)) ?? stored.findToken(hash),
    findPlatformRevision: async (id) => (await cached.findPlatformRevision(id)) ?? stored.findPlatformRevision(id),
  };
}

/** The keys that have changed since a read began; null when any may have. */
interface ChangesDuring {
  keys: Set<string> | null;
}

class GateCache {
  readonly #changes: SqliteChanges;
  readonly #tokens = new Map<string, GateToken>();
  readonly #revisions = new Map<string, string>();
  readonly #reading = new Set<ChangesDuring>();

  constructor(changes: SqliteChanges) {
    this.#changes = changes;
  }

  /** The results whose rows have not changed. */
  current(): GateResults {
    this.#forgetChanged();
    return { tokens: this.#tokens, revisions: this.#revisions };
  }

  /** Caches the results, except those whose rows may have changed during the read. */
  async read(reader: Connection, { hashes, appIds }: GateQueries): Promise<GateResults> {
    const changed: ChangesDuring = { keys: new Set() };
    this.#reading.add(changed);
    try {
      const [tokens, revisions] = await Promise.all([readTokens(reader, hashes), readRevisions(reader, appIds)]);
      this.#forgetChanged();
      copyUnless(changed, tokens, this.#tokens);
      copyUnless(changed, revisions, this.#revisions);
      return { tokens, revisions };
    } finally {
      this.#reading.delete(changed);
    }
  }

  #forgetChanged(): void {
    const changed = this.#changes.take();
    for (const during of this.#reading) {
      if (changed === null) during.keys = null;
      else for (const key of changed) during.keys?.add(key);
    }
    const isFull = this.#tokens.size + this.#revisions.size > cachedMax;
    if (changed === null || isFull) {
      this.#tokens.clear();
      this.#revisions.clear();
      return;
    }
    for (const key of changed) this.#tokens.delete(key) || this.#revisions.delete(key);
  }
}

async function readTokens(reader: Connection, hashes: string[]): Promise<Map<string, GateToken>> {
  if (hashes.length === 0) return new Map();
  const rows = await listTokens(reader, { keys: JSON.stringify(hashes) });
  return new Map(rows.map(({ hash, ...token }) => [hash, token]));
}

async function readRevisions(reader: Connection, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await listRevisions(reader, { keys: JSON.stringify(ids) });
  return new Map(rows.map((row) => [row.id, platformRevisionText(row)]));
}

function copyUnless<Result>({ keys }: ChangesDuring, from: Map<string, Result>, to: Map<string, Result>): void {
  for (const [key, result] of from) if (keys && !keys.has(key)) to.set(key, result);
}

/** The elements of a JSON array. */
function eachOf(keys: string) {
  return sql<string>`(select value from json_each(${keys}))`;
}
