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
  changes: SqliteChanges;
}

/** Caches results until the row changes; checking for a change costs a tenth of a query. */
export function sqliteGate({ database, builder, requireCurrent, changes }: SqliteGateParts): Gate {
  // Created on first use: the tables may not exist before.
  let cache: GateCache | undefined;
  return new BatchLoader(async (queries) => {
    await requireCurrent();
    try {
      cache ??= new GateCache(database, builder);
      return cache.load(queries, changes.take());
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
  load({ hashes, appIds }: GateQueries, changed: ReadonlySet<string> | null): GateResults {
    this.#forget(changed);
    for (const hash of hashes) this.#findToken(hash);
    for (const id of appIds) this.#findRevision(id);
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

  #findToken(hash: string): void {
    if (this.#tokens.has(hash)) return;
    const row = this.#token.get<GateToken>([hash]);
    if (row) this.#tokens.set(hash, row);
  }

  #findRevision(id: string): void {
    if (this.#revisions.has(id)) return;
    const row = this.#revision.get<Parameters<typeof platformRevisionText>[0]>([id]);
    if (row) this.#revisions.set(id, platformRevisionText(row));
  }
}
