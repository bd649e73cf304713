import type pg from 'pg';
import type { Connection, QueryBuilder, Statement } from './query.ts';
import { columns, type Tables } from './tables.ts';

/** The pool for reads, or the one client of a write. */
export class PostgresConnection implements Connection {
  readonly builder: QueryBuilder;
  readonly #client: pg.Pool | pg.PoolClient;
  readonly #asFailure: (error: unknown) => unknown;

  constructor(client: pg.Pool | pg.PoolClient, builder: QueryBuilder, asFailure: (error: unknown) => unknown) {
    this.#client = client;
    this.builder = builder;
    this.#asFailure = asFailure;
  }

  async rows<Row>(statement: Statement<Row>): Promise<Row[]> {
    return (await this.#query(statement)).rows as Row[];
  }

  async run(statement: Statement): Promise<number> {
    return (await this.#query(statement)).rowCount ?? 0;
  }

  async insertNew<Table extends keyof Tables>(table: Table, rows: Tables[Table][]): Promise<Tables[Table][]> {
    const names = columns[table].map((name) => `"${name}"`).join(', ');
    const key: string = columns[table][0];
    // One parameter for any number of rows, so that a batch costs one round trip.
    const { rows: inserted } = await this.#client.query<Record<string, string>>(
      `insert into ${table} (${names})
       select ${names} from json_populate_recordset(null::${table}, $1::json)
       on conflict do nothing returning ${key}`,
      [JSON.stringify(rows)],
    );
    const keys = new Set(inserted.map((row) => row[key]));
    // Of two rows with one key the first is in: its key is taken out of the set with it.
    return rows.filter((row) => !keys.delete(row[key as keyof Tables[Table]] as string));
  }

  async #query({ name, sql, parameters }: Statement): Promise<pg.QueryResult> {
    const values = [...parameters];
    try {
      return await this.#client.query(name ? { name, text: sql, values } : { text: sql, values });
    } catch (error) {
      throw this.#asFailure(error);
    }
  }
}
