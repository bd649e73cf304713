import type { DatabaseSync } from 'node:sqlite';
import { type Connection, rowValues } from '../query.ts';
import type { QueryBuilder, Statement } from '../statement.ts';
import { columns, type Tables } from '../tables.ts';
import { asInputs, SqliteQuery, valuesOf } from './query.ts';

/** Number of rows that make one batch of a long write. */
const manyRows = 500;

/** One SQLite connection, which prepares its named statements once. */
export class SqliteConnection implements Connection {
  readonly builder: QueryBuilder;
  readonly #database: DatabaseSync;
  readonly #asFailure: (error: unknown) => unknown;
  readonly #prepared = new Map<string, SqliteQuery>();
  /** Number of executed statements that may have changed something. */
  changes = 0;

  constructor(database: DatabaseSync, builder: QueryBuilder, asFailure: (error: unknown) => unknown) {
    this.#database = database;
    this.builder = builder;
    this.#asFailure = asFailure;
  }

  async rows<Row>(statement: Statement<Row>): Promise<Row[]> {
    // A statement that returns rows may also delete them.
    if (statement.query.kind !== 'SelectQueryNode') this.changes += 1;
    return this.#execute(() => this.#prepare(statement).all<Row>(valuesOf(statement)));
  }

  async run(statement: Statement): Promise<number> {
    this.changes += 1;
    return this.#execute(() => this.#prepare(statement).run(valuesOf(statement)));
  }

  async insertNew<Table extends keyof Tables>(table: Table, rows: Tables[Table][]): Promise<Tables[Table][]> {
    const names: readonly string[] = columns[table];
    const sql = `insert into ${table} (${names.map((name) => `"${name}"`).join(', ')})
      values (${names.map(() => '?').join(', ')}) on conflict do nothing`;
    // SQLite blocks this thread: without a pause, no request would be served until the write is complete.
    if (rows.length >= manyRows) await new Promise(setImmediate);
    this.changes += 1;
    return this.#execute(() => {
      const insert = this.#prepare({ name: sql, sql });
      return rows.filter((row) => insert.run(asInputs(rowValues(table, row))) === 0);
    });
  }

  #execute<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      throw this.#asFailure(error);
    }
  }

  #prepare({ name, sql }: Pick<Statement, 'name' | 'sql'>): SqliteQuery {
    if (!name) return new SqliteQuery(this.#database, sql);
    let prepared = this.#prepared.get(name);
    if (!prepared) {
      prepared = new SqliteQuery(this.#database, sql);
      this.#prepared.set(name, prepared);
    }
    return prepared;
  }
}
