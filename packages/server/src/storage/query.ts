import { createHash } from 'node:crypto';
import type { CompiledQuery, Kysely } from 'kysely';
import { columns, type SequencedTable, type Tables } from './tables.ts';

/** Executes SQL: a reader, or the connection of one transaction. */
export interface Connection extends Reader {
  /** Returns the number of changed rows. */
  run(statement: Statement): Promise<number>;
  /** Inserts rows into one table, all of them or none: a conflict with an existing row is `NotUnique`. */
  insertAll<Table extends keyof Tables>(table: Table, rows: Tables[Table][]): Promise<void>;
  /**
   * The same, but skips and returns those that conflict with an existing row. Where the database numbers the rows, that
   * number could conflict too.
   */
  insertNew<Table extends UnnumberedTable>(table: Table, rows: Tables[Table][]): Promise<Tables[Table][]>;
}

/** A table whose rows have no number from the database. */
export type UnnumberedTable = Exclude<keyof Tables, SequencedTable>;

interface Compilable<Row> {
  compile(): CompiledQuery<Row>;
}

type Build<Values, Row> = (db: QueryBuilder, values: Values) => Compilable<Row>;

/** Declares a query for one row; it returns null when there is none. */
export function defineFind<Values extends object, Row>(build: Build<Values, Row>) {
  const bind = compileOnce(build);
  return async (connection: Reader, values: Values): Promise<Row | null> => {
    const rows = await connection.rows(bind(connection.builder, values));
    return rows[0] ?? null;
  };
}

/** Declares a query for any number of rows. */
export function defineList<Values extends object, Row>(build: Build<Values, Row>) {
  const bind = compileOnce(build);
  return (connection: Reader, values: Values): Promise<Row[]> => connection.rows(bind(connection.builder, values));
}

/** Declares a query whose many rows are streamed from a snapshot. */
export function defineStream<Values extends object, Row>(build: Build<Values, Row>, options?: { rowsMax: number }) {
  const bind = compileOnce(build);
  return (snapshot: Snapshot, values: Values): AsyncIterable<Row[]> =>
    snapshot.stream(bind(snapshot.builder, values), options);
}

/** Declares a change. It returns the number of changed rows. */
export function defineChange<Values extends object>(build: Build<Values, unknown>) {
  const bind = compileOnce(build);
  return (connection: Connection, values: Values): Promise<number> => connection.run(bind(connection.builder, values));
}

/** Declares the insertion of one row with all its columns. */
export function defineInsert<Table extends keyof Tables>(table: Table) {
  return defineChange((db, row: Tables[Table]) =>
    db
      .insertInto(table)
      .values(Object.fromEntries(columns[table].map((name) => [name, Reflect.get(row, name)])) as never),
  );
}

/** Placeholder for a value while a query is compiled, so that values can later be bound by position. */
class Parameter {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

const placeholders = new Proxy({}, { get: (_, name) => new Parameter(String(name)) });

/**
 * Building a query costs more than SQLite needs to execute it. So each query is compiled once per engine, with
 * placeholders as values, and real values are bound by position.
 */
function compileOnce<Values extends object, Row>(build: Build<Values, Row>) {
  const compiled = new WeakMap<QueryBuilder, NamedStatement<Row>>();
  return (builder: QueryBuilder, values: Values): Statement<Row> => {
    let statement = compiled.get(builder);
    if (!statement) {
      statement = named(build(builder, placeholders as Values).compile());
      compiled.set(builder, statement);
    }
    const parameters = statement.parameters.map((parameter) =>
      parameter instanceof Parameter ? Reflect.get(values, parameter.name) : parameter,
    );
    return withParameters(statement, parameters);
  };
}

type NamedStatement<Row = unknown> = Statement<Row> & { readonly name: string };

function named<Row>(query: CompiledQuery<Row>): NamedStatement<Row> {
  return { ...query, name: statementName(query.sql) };
}

/** Without a spread, which takes several times as long. */
function withParameters<Row>(
  { query, queryId, sql, name }: NamedStatement<Row>,
  parameters: readonly unknown[],
): Statement<Row> {
  return { query, queryId, sql, name, parameters };
}

/** Derived from the text, so that it means the same in every program: connections of a pooler are shared. */
export function statementName(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/**
 * The values for a driver, which leaves them as they are. A missing value throws, because drivers bind `undefined` as NULL,
 * which would erase data.
 */
export function requireValues(values: readonly unknown[], purpose: string): unknown[] {
  if (values.includes(undefined)) throw new TypeError(`a value is missing for: ${purpose}`);
  return values as unknown[];
}

/** The values of a row, in the order of its table's columns. */
export function rowValues<Table extends keyof Tables>(table: Table, row: Tables[Table]): unknown[] {
  const names: readonly string[] = columns[table];
  return requireValues(
    names.map((name) => Reflect.get(row, name)),
    `a row of ${table}`,
  );
}

/** Builds and types the queries of one engine. It only compiles; a connection executes. */
export type QueryBuilder = Kysely<Tables>;

/** A compiled query with its values. A named one runs repeatedly and is worth preparing. */
export type Statement<Row = unknown> = CompiledQuery<Row> & { readonly name?: string };

/** Executes queries. */
export interface Reader {
  readonly builder: QueryBuilder;
  rows<Row>(statement: Statement<Row>): Promise<Row[]>;
}

/** The database at one moment, regardless of later writes. */
export interface Snapshot extends Reader {
  /**
   * The rows of a query in its order, in batches of at most `rowsMax`; no more are held in memory. Fetches a batch when
   * the consumer requests it. Several streams may be read in turn.
   */
  stream<Row>(statement: Statement<Row>, options?: { rowsMax?: number }): AsyncIterable<Row[]>;
}

/** Work that reads from a snapshot: a generator of its results. */
export type SnapshotWork<Item> = (snapshot: Snapshot) => AsyncIterable<Item>;

/** A few hundred kilobytes of installations or apps. */
export const streamRowsMax = 500;
