import type pg from 'pg';
import { type Connection, requireValues, rowValues } from '../query.ts';
import type { QueryBuilder, Statement } from '../statement.ts';
import { columns, type Tables } from '../tables.ts';

interface PostgresConnectionOptions {
  asFailure: (error: unknown) => unknown;
  begun?: Promise<void>;
}

/** The pool for reads, or the one client of a write. */
export class PostgresConnection implements Connection {
  readonly builder: QueryBuilder;
  readonly #client: pg.Pool | pg.PoolClient;
  readonly #asFailure: (error: unknown) => unknown;
  readonly #begun: Promise<void> | undefined;

  /** `begun` is the beginning of the transaction that this is the inside of. */
  constructor(client: pg.Pool | pg.PoolClient, builder: QueryBuilder, { asFailure, begun }: PostgresConnectionOptions) {
    this.#client = client;
    this.builder = builder;
    this.#asFailure = asFailure;
    this.#begun = begun;
  }

  async rows<Row>(statement: Statement<Row>): Promise<Row[]> {
    return (await this.#query(statement)).rows as Row[];
  }

  async run(statement: Statement): Promise<number> {
    return (await this.#query(statement)).rowCount ?? 0;
  }

  async insertNew<Table extends keyof Tables>(table: Table, rows: Tables[Table][]): Promise<Tables[Table][]> {
    const names: readonly string[] = columns[table];
    const [key] = columns[table];
    const given = rows.map((row) => rowValues(table, row));
    // The server tells the rows it has inserted by their keys: of rows that share one it cannot tell which.
    if (new Set(given.map(([keyValue]) => keyValue)).size < rows.length) return this.#insertEach(table, rows);

    const list = names.map((name) => `"${name}"`).join(', ');
    // One parameter for any number of rows, so that a batch costs one round trip.
    const sql = `insert into ${table} (${list})
      select ${list} from json_populate_recordset(null::${table}, $1::json)
      on conflict do nothing returning ${key}`;
    const json = given.map((values) => Object.fromEntries(names.map((name, at) => [name, toJson(values[at])])));
    const inserted = await this.#query({ sql, parameters: [JSON.stringify(json)] });
    const keys = new Set(inserted.rows.map((row) => row[key]));
    return rows.filter((_, at) => !keys.has(given[at]?.[0]));
  }

  async #insertEach<Table extends keyof Tables>(table: Table, rows: Tables[Table][]): Promise<Tables[Table][]> {
    const refused: Tables[Table][] = [];
    for (const row of rows) refused.push(...(await this.insertNew(table, [row])));
    return refused;
  }

  async #query({ name, sql, parameters, query }: Asked): Promise<pg.QueryResult> {
    const values = requireValues(parameters, sql);
    try {
      // A question may be on its way right behind the beginning, which saves a round trip. What writes waits: should
      // the beginning fail, it would be stored at once.
      if (query?.kind !== 'SelectQueryNode') await this.#begun;
      return await this.#client.query(name ? { name, text: sql, values } : { text: sql, values });
    } catch (error) {
      throw this.#asFailure(error);
    }
  }
}

type Asked = Pick<Statement, 'name' | 'sql' | 'parameters'> & Partial<Pick<Statement, 'query'>>;

/** Bytes as the text that PostgreSQL reads them from; other values as they are. */
function toJson(value: unknown): unknown {
  return value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value;
}
