import type pg from 'pg';
import { type Connection, requireValues, rowValues } from '../query.ts';
import type { Statement } from '../statement.ts';
import { columns, type Tables } from '../tables.ts';
import { builder } from './dialect.ts';

/** A statement with its values. */
export interface Execution {
  config: pg.QueryConfig;
  /** Whether its rows are wanted. */
  returnsRows: boolean;
  /** Whether it is known to change nothing. */
  isSelect: boolean;
}

/** The pool for reads, or one write: what differs is how a statement is executed. */
export class PostgresConnection implements Connection {
  readonly builder = builder;
  readonly #execute: (execution: Execution) => Promise<pg.QueryResult>;

  constructor(execute: (execution: Execution) => Promise<pg.QueryResult>) {
    this.#execute = execute;
  }

  async rows<Row>(statement: Statement<Row>): Promise<Row[]> {
    return (await this.#query(statement, { returnsRows: true })).rows as Row[];
  }

  async run(statement: Statement): Promise<number> {
    return (await this.#query(statement)).rowCount ?? 0;
  }

  async insertNew<Table extends keyof Tables>(table: Table, rows: Tables[Table][]): Promise<Tables[Table][]> {
    const names: readonly string[] = columns[table];
    const [key] = columns[table];
    const given = rows.map((row) => rowValues(table, row));
    // The server reports inserted rows by key, which cannot identify one of several rows with the same key.
    if (new Set(given.map(([keyValue]) => keyValue)).size < rows.length) return this.#insertEach(table, rows);

    const list = names.map((name) => `"${name}"`).join(', ');
    // One parameter for any number of rows: a batch takes one round trip.
    const sql = `insert into ${table} (${list})
      select ${list} from json_populate_recordset(null::${table}, $1::json)
      on conflict do nothing returning ${key}`;
    const json = given.map((values) => Object.fromEntries(names.map((name, at) => [name, toJson(values[at])])));
    const inserted = await this.#query({ sql, parameters: [JSON.stringify(json)] });
    const keys = new Set(inserted.rows.map((row) => row[key]));
    return rows.filter((_, at) => !keys.has(given[at]?.[0]));
  }

  async #insertEach<Table extends keyof Tables>(table: Table, rows: Tables[Table][]): Promise<Tables[Table][]> {
    const conflicting: Tables[Table][] = [];
    for (const row of rows) conflicting.push(...(await this.insertNew(table, [row])));
    return conflicting;
  }

  #query(statement: PostgresQuery, { returnsRows = false } = {}): Promise<pg.QueryResult> {
    const isSelect = statement.query?.kind === 'SelectQueryNode';
    return this.#execute({ config: configOf(statement), returnsRows, isSelect });
  }
}

/** The statement as the driver takes it. */
function configOf({ name, sql, parameters }: PostgresQuery): pg.QueryConfig {
  const config: pg.QueryConfig = { text: sql, values: requireValues(parameters, sql) };
  if (name) config.name = name;
  return config;
}

type PostgresQuery = Pick<Statement, 'name' | 'sql' | 'parameters'> & Partial<Pick<Statement, 'query'>>;

/** Bytes in the text form of PostgreSQL; other values unchanged. */
function toJson(value: unknown): unknown {
  return value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value;
}
