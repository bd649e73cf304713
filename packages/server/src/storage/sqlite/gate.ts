import type { DatabaseSync } from 'node:sqlite';
import { BatchLoader, type Gate, type GateQueries, type GateResults } from '../gate.ts';
import { accessTokenByHash, type GateToken } from '../queries/access-tokens.ts';
import { platformRevision, platformRevisionText } from '../queries/platform-apps.ts';
import type { QueryBuilder } from '../statement.ts';
import type { SqliteChanges } from './changes.ts';
import { asStorageFailure } from './failure.ts';
import { SqliteQuery } from './query.ts';

/** A few megabytes. */
const cachedMax = 10_000;

export interface SqliteGateParts {
  database: DatabaseSync;
  builder: QueryBuilder;
  /** Resolves when a read is current. */
  requireCurrent: () => Promise<void>;
  /** Resolves when no loss of power takes back what was read. */
  requireDurable: () => Promise<void>;
  changes: SqliteChanges;
}

/** Caches results until the row changes; checking for a change costs a tenth of a query. */
export function sqliteGate({ database, builder, requireCurrent, requireDurable, changes }: SqliteGateParts): Gate {
  // Created on first use: the tables may not exist before.
  let cache: GateCache | undefined;
  return new BatchLoader(async (queries) => {
    await requireCurrent();
    try {
      cache ??= new GateCache(database, builder);
      return await cache.load(queries, { changed: changes.take(), requireDurable });
    } catch (error) {
      throw asStorageFailure(error);
    }
  }, 1);
}

class GateCache {
  readonly #token: SqliteQuery;
  readonly #revision: SqliteQuery;
  readonly #tokens = new Map<string, GateToken>();
  readonly #revisions = new Map<string, string>();

  constructor(database: DatabaseSync, builder: QueryBuilder) {
    this.#token = new SqliteQuery(database, accessTokenByHash(builder, { hash: '' }).compile().sql);
    this.#revision = new SqliteQuery(database, platformRevision(builder, { id: '' }).compile().sql);
  }

  /** `changed` must be taken before the call, so that the rows are at least as new. */
  async load(
    { hashes, appIds }: GateQueries,
    { changed, requireDurable }: { changed: ReadonlySet<string> | null; requireDurable: () => Promise<void> },
  ): Promise<GateResults> {
    this.#forget(changed);
    const tokens = hashes
      .filter((hash) => !this.#tokens.has(hash))
      .map((hash) => [hash, this.#readToken(hash)] as const);
    const revisions = appIds
      .filter((id) => !this.#revisions.has(id))
      .map((id) => [id, this.#readRevision(id)] as const);
    if (tokens.length + revisions.length > 0) await requireDurable();
    for (const [hash, token] of tokens) if (token) this.#tokens.set(hash, token);
    for (const [id, revision] of revisions) if (revision) this.#revisions.set(id, revision);
    return { tokens: this.#tokens, revisions: this.#revisions };
  }

  #forget(changed: ReadonlySet<string> | null): void {
    const isFull = this.#tokens.size + this.#revisions.size > cachedMax;
    if (changed === null || isFull) {
      this.#tokens.clear();
      this.#revisions.clear();
      return;
    }
    for (const key of changed) this.#tokens.delete(key) || this.#revisions.delete(key);
  }

  #readToken(hash: string): GateToken | undefined {
    return this.#token.get<GateToken>([hash]);
  }

  #readRevision(id: string): string | undefined {
    const row = this.#revision.get<Parameters<typeof platformRevisionText>[0]>([id]);
    return row && platformRevisionText(row);
  }
}
