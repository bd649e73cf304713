import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { type Connection, type QueryBuilder, requireValues, rowValues, type Statement } from '../query.ts';
import { columns, type Tables } from '../tables.ts';

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

/** A prepared statement that returns plain objects: the driver's are slow to copy and survive some garbage collections. */
export class SqliteQuery {
  readonly #statement: StatementSync;
  readonly #names: string[];
  /** Rows are copies of it: adding a column after the other moves a long row again and again. */
  readonly #emptyRow: Record<string, SQLOutputValue | undefined>;

  constructor(database: DatabaseSync, sql: string) {
    this.#statement = database.prepare(sql);
    this.#statement.setReturnArrays(true);
    this.#names = this.#statement.columns().map(({ name }) => name);
    this.#emptyRow = Object.fromEntries(this.#names.map((name) => [name, undefined]));
  }

  all<Row>(values: SQLInputValue[]): Row[] {
    return this.#statement.all(...values).map((row) => this.#rowOf<Row>(row));
  }

  /** The statement must not be used again while it iterates. Nothing is executed before the first row is requested. */
  *iterate<Row>(values: SQLInputValue[]): Generator<Row, undefined> {
    for (const row of this.#statement.iterate(...values)) yield this.#rowOf<Row>(row);
  }

  /** Returns the number of changed rows. */
  run(values: SQLInputValue[]): number {
    return Number(this.#statement.run(...values).changes);
  }

  /** The driver returns an array of values, because of `setReturnArrays`. */
  #rowOf<Row>(values: Record<number, SQLOutputValue>): Row {
    const row = { ...this.#emptyRow };
    let at = 0;
    for (const name of this.#names) row[name] = values[at++];
    return row as Row;
  }
}

/** The values of a statement, for the driver. */
export function valuesOf({ sql, parameters }: Statement): SQLInputValue[] {
  return asInputs(requireValues(parameters, sql));
}

/** Unchecked: the driver rejects a value that it cannot bind. */
function asInputs(values: unknown[]): SQLInputValue[] {
  return values as SQLInputValue[];
}
