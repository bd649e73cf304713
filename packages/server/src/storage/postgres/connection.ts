import type pg from 'pg';
import { type Connection, requireValues, rowValues } from '../query.ts';
import type { QueryBuilder, Statement } from '../statement.ts';
import { columns, type Tables } from '../tables.ts';

interface PostgresConnectionOptions {
  asFailure: (error: unknown) => unknown;
  begun?: Promise<void>;
  /** How long a query may take; then it fails as unavailable, and the pool replaces its connection. */
  timeoutMs?: number;
}

/** The pool for reads, or the client of one write. */
export class PostgresConnection implements Connection {
  readonly builder: QueryBuilder;
  readonly #client: pg.Pool | pg.PoolClient;
  readonly #asFailure: (error: unknown) => unknown;
  readonly #begun: Promise<void> | undefined;
  readonly #timeoutMs: number | undefined;

  /** `begun` settles when the surrounding transaction has started. */
  constructor(client: pg.Pool | pg.PoolClient, builder: QueryBuilder, options: PostgresConnectionOptions) {
    this.#client = client;
    this.builder = builder;
    this.#asFailure = options.asFailure;
    this.#begun = options.begun;
    this.#timeoutMs = options.timeoutMs;
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

  async #query({ name, sql, parameters, query }: PostgresQuery): Promise<pg.QueryResult> {
    const values = requireValues(parameters, sql);
    const config: pg.QueryConfig & pg.ClientConfig = { text: sql, values };
    if (name) config.name = name;
    if (this.#timeoutMs !== undefined) config.query_timeout = this.#timeoutMs;
    try {
      // A query may be sent right behind `begin`, which saves a round trip. A write waits: if `begin` failed, the
      // write would be committed at once.
      if (query?.kind !== 'SelectQueryNode') await this.#begun;
      return await this.#client.query(config);
    } catch (error) {
      throw this.#asFailure(error);
    }
  }
}

type PostgresQuery = Pick<Statement, 'name' | 'sql' | 'parameters'> & Partial<Pick<Statement, 'query'>>;

/** Bytes in the text form of PostgreSQL; other values unchanged. */
function toJson(value: unknown): unknown {
  return value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value;
}
