import { BatchLoader, type Gate, type GateQueries, type GateResults } from '../gate.ts';
import { accessTokenByHash, type GateToken } from '../queries/access-tokens.ts';
import { platformRevision, platformRevisionText } from '../queries/platform-apps.ts';
import { type Connection, find } from '../query.ts';
import type { SqliteChanges } from './changes.ts';
import { asStorageFailure } from './failure.ts';

/** A few megabytes. */
const cachedMax = 10_000;
/** While a batch waits for the disk, others are read. */
const readsAtOnceMax = 4;

const findToken = find(accessTokenByHash);
const findRevision = find(platformRevision);

export interface SqliteGateParts {
  reader: Connection;
  /** Resolves when a cached result is current, if its row is unchanged. */
  requireCurrent: () => Promise<void>;
  changes: SqliteChanges;
}

/**
 * Caches results until the row changes; checking for a change costs a tenth of a query. What is cached never waits for
 * what is read.
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

  /** Caches what it reads, except where the row may have changed between the read and its end. */
  async read(reader: Connection, { hashes, appIds }: GateQueries): Promise<GateResults> {
    const changed: ChangesDuring = { keys: new Set() };
    this.#reading.add(changed);
    try {
      const [tokens, revisions] = await Promise.all([
        readEach(hashes, (hash) => findToken(reader, { hash })),
        readEach(appIds, async (id) => {
          const row = await findRevision(reader, { id });
          return row && platformRevisionText(row);
        }),
      ]);
      this.#forgetChanged();
      copyUnless(changed, tokens, this.#tokens);
      copyUnless(changed, revisions, this.#revisions);
      return { tokens, revisions };
    } finally {
      this.#reading.delete(changed);
    }
  }

  #forgetChanged(): void {
    const changed = this.#takeChanges();
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

  #takeChanges(): ReadonlySet<string> | null {
    try {
      return this.#changes.take();
    } catch (error) {
      throw asStorageFailure(error);
    }
  }
}

/** Without those that are not found. */
async function readEach<Result>(keys: string[], read: (key: string) => Promise<Result | null>) {
  const found = new Map<string, Result>();
  const readOne = async (key: string) => {
    const result = await read(key);
    if (result !== null) found.set(key, result);
  };
  await Promise.all(keys.map(readOne));
  return found;
}

function copyUnless<Result>({ keys }: ChangesDuring, from: Map<string, Result>, to: Map<string, Result>): void {
  for (const [key, result] of from) if (keys && !keys.has(key)) to.set(key, result);
}
