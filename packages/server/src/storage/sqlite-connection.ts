import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { Connection, QueryBuilder, Statement } from './query.ts';
import { columns, type Tables } from './tables.ts';

/** One SQLite connection, its named statements prepared once. */
export class SqliteConnection implements Connection {
  readonly builder: QueryBuilder;
  readonly #database: DatabaseSync;
  readonly #prepared = new Map<string, StatementSync>();

  constructor(database: DatabaseSync, builder: QueryBuilder) {
    this.#database = database;
    this.builder = builder;
  }

  async rows<Row>(statement: Statement<Row>): Promise<Row[]> {
    return this.#prepare(statement).all(...values(statement)) as Row[];
  }

  async run(statement: Statement): Promise<number> {
    return Number(this.#prepare(statement).run(...values(statement)).changes);
  }

  async insertNew<Table extends keyof Tables>(table: Table, rows: Tables[Table][]): Promise<Tables[Table][]> {
    const names: readonly string[] = columns[table];
    const insert = this.#database.prepare(
      `insert into ${table} (${names.map((name) => `"${name}"`).join(', ')})
       values (${names.map(() => '?').join(', ')}) on conflict do nothing`,
    );
    return rows.filter((row) => {
      const inserted = insert.run(...names.map((name) => row[name as keyof Tables[Table]] as SQLInputValue));
      return inserted.changes === 0;
    });
  }

  #prepare({ name, sql }: Statement): StatementSync {
    if (!name) return this.#database.prepare(sql);
    let prepared = this.#prepared.get(name);
    if (!prepared) {
      prepared = this.#database.prepare(sql);
      this.#prepared.set(name, prepared);
    }
    return prepared;
  }
}

function values(statement: Statement): SQLInputValue[] {
  return statement.parameters.map((value) => {
    // Some versions of node:sqlite bind undefined as NULL: an omission would become a removal.
    if (value === undefined) throw new TypeError(`a value is missing for: ${statement.sql}`);
    return value as SQLInputValue;
  });
}
