import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { type Connection, rowValues } from '../query.ts';
import type { QueryBuilder, Statement } from '../statement.ts';
import { columns, type Tables } from '../tables.ts';
import { SqliteQuery, valuesOf } from './query.ts';

/** So many rows are one batch of a long write. */
const manyRows = 500;

/** One SQLite connection, its named statements prepared once. */
export class SqliteConnection implements Connection {
  readonly builder: QueryBuilder;
  readonly #database: DatabaseSync;
  readonly #asFailure: (error: unknown) => unknown;
  readonly #prepared = new Map<string, SqliteQuery>();
  /** How many statements were executed that may have changed something. */
  changes = 0;

  constructor(database: DatabaseSync, builder: QueryBuilder, asFailure: (error: unknown) => unknown) {
    this.#database = database;
    this.builder = builder;
    this.#asFailure = asFailure;
  }

  async rows<Row>(statement: Statement<Row>): Promise<Row[]> {
    // What it returns may be the rows that it removes.
    if (statement.query.kind !== 'SelectQueryNode') this.changes += 1;
    return this.#execute(() => this.#prepare(statement).all(valuesOf(statement))) as Row[];
  }

  async run(statement: Statement): Promise<number> {
    this.changes += 1;
    return this.#execute(() => this.#prepare(statement).run(valuesOf(statement)));
  }

  async insertNew<Table extends keyof Tables>(table: Table, rows: Tables[Table][]): Promise<Tables[Table][]> {
    const names: readonly string[] = columns[table];
    const sql = `insert into ${table} (${names.map((name) => `"${name}"`).join(', ')})
      values (${names.map(() => '?').join(', ')}) on conflict do nothing`;
    // SQLite works in this thread: without a pause nobody would be answered until the whole write is done.
    if (rows.length >= manyRows) await new Promise(setImmediate);
    this.changes += 1;
    return this.#execute(() => {
      const insert = this.#prepare({ name: sql, sql });
      return rows.filter((row) => insert.run(rowValues(table, row) as SQLInputValue[]) === 0);
    });
  }

  #execute<Result>(ask: () => Result): Result {
    try {
      return ask();
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
