import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { accessTokenByHash, type GateToken } from './access-tokens.ts';
import { type Gate, type GateAnswers, type GateQuestions, SharedGate } from './gate.ts';
import { platformRevision } from './platform-apps.ts';
import { asStorageFailure } from './sqlite-failure.ts';
import type { QueryBuilder } from './statement.ts';

/** Some megabytes. */
const rememberedMax = 10_000;

export interface SqliteGateParts {
  database: DatabaseSync;
  builder: QueryBuilder;
  /** Resolves when nothing can be seen that is not committed. */
  readable: () => Promise<void> | undefined;
  /** How often this process has committed something. */
  ownCommits: () => number;
}

/** Asks nothing again while nobody has written, which costs a tenth of a question to find out. */
export function sqliteGate({ database, builder, readable, ownCommits }: SqliteGateParts): Gate {
  // Once it is asked: before that the tables may not be there.
  let answers: SqliteAnswers | undefined;
  return new SharedGate(async (questions) => {
    await readable();
    try {
      answers ??= new SqliteAnswers(database, builder);
      return answers.answer(questions, ownCommits());
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
  /** Changes with every commit but those of the connection that asks for it. */
  readonly #dataVersion: StatementSync;
  #version = '';

  constructor(database: DatabaseSync, builder: QueryBuilder) {
    this.#dataVersion = database.prepare('pragma data_version');
    this.#token = database.prepare(accessTokenByHash(builder, { hash: '' }).compile().sql);
    this.#revision = database.prepare(platformRevision(builder, { id: '' }).compile().sql);
  }

  answer({ hashes, appIds }: GateQuestions, ownCommits: number): GateAnswers {
    // Before the rows, so that these are at least as new.
    const version = `${this.#dataVersion.get()?.data_version} ${ownCommits}`;
    const isFull = this.#tokens.size + this.#revisions.size > rememberedMax;
    if (version !== this.#version || isFull) this.#forget(version);
    for (const hash of hashes) this.#findToken(hash);
    for (const id of appIds) this.#findRevision(id);
    return { tokens: this.#tokens, revisions: this.#revisions };
  }

  #forget(version: string): void {
    this.#tokens.clear();
    this.#revisions.clear();
    this.#version = version;
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
