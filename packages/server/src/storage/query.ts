import { createHash } from 'node:crypto';
import type { CompiledQuery } from 'kysely';
import type { Snapshot } from './snapshot.ts';
import type { QueryBuilder, Statement } from './statement.ts';
import { columns, type Tables } from './tables.ts';

/** Something that questions are asked of. */
export interface Reader {
  readonly builder: QueryBuilder;
  rows<Row>(statement: Statement<Row>): Promise<Row[]>;
}

/** Something that SQL is executed on: a reader, or the inside of one write. */
export interface Connection extends Reader {
  /** The number of rows that were changed. */
  run(statement: Statement): Promise<number>;
  /** Inserts rows of one table. Those that meet an existing row are left out and returned. */
  insertNew<Table extends keyof Tables>(table: Table, rows: Tables[Table][]): Promise<Tables[Table][]>;
}

interface Compilable<Row> {
  compile(): CompiledQuery<Row>;
}

type Build<Values, Row> = (db: QueryBuilder, values: Values) => Compilable<Row>;

/** Makes a query of one row: the row, or null when there is none. */
export function find<Values extends object, Row>(build: Build<Values, Row>) {
  const bind = compileOnce(build);
  return async (connection: Reader, values: Values): Promise<Row | null> => {
    const rows = await connection.rows(bind(connection.builder, values));
    return rows[0] ?? null;
  };
}

/** Makes a query of any number of rows. */
export function list<Values extends object, Row>(build: Build<Values, Row>) {
  const bind = compileOnce(build);
  return (connection: Reader, values: Values): Promise<Row[]> => connection.rows(bind(connection.builder, values));
}

/** Makes a query of so many rows that they are read as a stream, of a snapshot. */
export function stream<Values extends object, Row>(build: Build<Values, Row>, options?: { rowsMax: number }) {
  const bind = compileOnce(build);
  return (snapshot: Snapshot, values: Values): AsyncIterable<Row[]> =>
    snapshot.stream(bind(snapshot.builder, values), options);
}

/** Makes a change. It answers how many rows it changed. */
export function change<Values extends object>(build: Build<Values, unknown>) {
  const bind = compileOnce(build);
  return (connection: Connection, values: Values): Promise<number> => connection.run(bind(connection.builder, values));
}

/** Makes the insertion of one row, every column of it. */
export function insert<Table extends keyof Tables>(table: Table) {
  return change((db, row: Tables[Table]) =>
    db
      .insertInto(table)
      .values(Object.fromEntries(columns[table].map((name) => [name, row[name as keyof typeof row]])) as never),
  );
}

/** Stands for a value while a query is compiled, so that the values can be bound by position later. */
class Slot {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

const slots = new Proxy({}, { get: (_, name) => new Slot(String(name)) });

/**
 * Building a query costs more than SQLite's answer to it, so each query is compiled once for each
 * engine, against slots, and its values are bound by position from then on.
 */
function compileOnce<Values extends object, Row>(build: Build<Values, Row>) {
  const compiled = new WeakMap<QueryBuilder, Statement<Row>>();
  return (builder: QueryBuilder, values: Values): Statement<Row> => {
    let statement = compiled.get(builder);
    if (!statement) {
      const query = build(builder, slots as Values).compile();
      statement = { ...query, name: createHash('sha256').update(query.sql).digest('hex').slice(0, 32) };
      compiled.set(builder, statement);
    }
    const parameters = statement.parameters.map((parameter) =>
      parameter instanceof Slot ? values[parameter.name as keyof Values] : parameter,
    );
    return { ...statement, parameters };
  };
}

/**
 * The values for a driver. Drivers bind undefined as NULL, and so would turn an omission into a removal:
 * a value that is missing throws.
 */
export function requireValues(values: readonly unknown[], purpose: string): unknown[] {
  if (values.includes(undefined)) throw new TypeError(`a value is missing for: ${purpose}`);
  return [...values];
}

/** The values of a row, in the order of its table's columns. */
export function rowValues<Table extends keyof Tables>(table: Table, row: Tables[Table]): unknown[] {
  const names: readonly string[] = columns[table];
  return requireValues(
    names.map((name) => row[name as keyof typeof row]),
    `a row of ${table}`,
  );
}
