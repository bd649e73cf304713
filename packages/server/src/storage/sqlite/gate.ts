import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { BatchLoader, type Gate, type GateQueries, type GateResults } from '../gate.ts';
import { accessTokenByHash, type GateToken } from '../queries/access-tokens.ts';
import { platformRevision } from '../queries/platform-apps.ts';
import type { QueryBuilder } from '../statement.ts';
import type { SqliteChanges } from './changes.ts';
import { asStorageFailure } from './failure.ts';

/** Some megabytes. */
const rememberedMax = 10_000;

export interface SqliteGateParts {
  database: DatabaseSync;
  builder: QueryBuilder;
  /** Resolves when nothing can be seen that is not committed. */
  readable: () => Promise<void> | undefined;
  changes: SqliteChanges;
}

/** Asks nothing again that has not changed, which costs a tenth of a question to find out. */
export function sqliteGate({ database, builder, readable, changes }: SqliteGateParts): Gate {
  // Once it is asked: before that the tables may not be there.
  let answers: SqliteAnswers | undefined;
  return new BatchLoader(async (questions) => {
    await readable();
    try {
      answers ??= new SqliteAnswers(database, builder);
      return answers.answer(questions, changes.take());
    } catch (error) {
      throw asStorageFailure(error);
    }
  }, 1);
}

class SqliteAnswers {
  readonly #token: StatementSync;
  readonly #revision: StatementSync;
  readonly #tokens = new Map<string, GateToken>();
  readonly #revisions = new Map<string, number>();

  constructor(database: DatabaseSync, builder: QueryBuilder) {
    this.#token = database.prepare(accessTokenByHash(builder, { hash: '' }).compile().sql);
    this.#revision = database.prepare(platformRevision(builder, { id: '' }).compile().sql);
  }

  /** `changed` was asked for before, so that the rows are at least as new. */
  answer({ hashes, appIds }: GateQueries, changed: ReadonlySet<string> | null): GateResults {
    this.#forget(changed);
    for (const hash of hashes) this.#findToken(hash);
    for (const id of appIds) this.#findRevision(id);
    return { tokens: this.#tokens, revisions: this.#revisions };
  }

  #forget(changed: ReadonlySet<string> | null): void {
    const isFull = this.#tokens.size + this.#revisions.size > rememberedMax;
    if (changed === null || isFull) {
      this.#tokens.clear();
      this.#revisions.clear();
      return;
    }
    for (const key of changed) this.#tokens.delete(key) || this.#revisions.delete(key);
  }

  #findToken(hash: string): void {
    if (this.#tokens.has(hash)) return;
    const row = this.#token.get(hash);
    if (row) this.#tokens.set(hash, row as unknown as GateToken);
  }

  #findRevision(id: string): void {
    if (this.#revisions.has(id)) return;
    const row = this.#revision.get(id);
    if (row) this.#revisions.set(id, row.platform_revision as number);
  }
}
