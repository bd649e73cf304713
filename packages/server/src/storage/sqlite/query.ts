import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { requireValues } from '../query.ts';
import type { Statement } from '../statement.ts';

/** A prepared statement that returns plain objects: the driver's are slow to copy and survive some garbage collections. */
export class SqliteQuery {
  readonly #statement: StatementSync;
  readonly #names: string[];

  constructor(database: DatabaseSync, sql: string) {
    this.#statement = database.prepare(sql);
    this.#statement.setReturnArrays(true);
    this.#names = this.#statement.columns().map(({ name }) => name);
  }

  all<Row>(values: SQLInputValue[]): Row[] {
    return this.#statement.all(...values).map((row) => rowOf<Row>(this.#names, row));
  }

  get<Row>(values: SQLInputValue[]): Row | undefined {
    const row = this.#statement.get(...values);
    return row && rowOf<Row>(this.#names, row);
  }

  /** Returns the number of changed rows. */
  run(values: SQLInputValue[]): number {
    return Number(this.#statement.run(...values).changes);
  }
}

/** `values` is an array, because of `setReturnArrays`. */
export function rowOf<Row>(names: string[], values: Record<number, SQLOutputValue>): Row {
  const row: Record<string, SQLOutputValue | undefined> = {};
  for (const [index, name] of names.entries()) row[name] = values[index];
  return row as Row;
}

/** The values of a statement, for the driver. */
export function valuesOf({ sql, parameters }: Statement): SQLInputValue[] {
  return asInputs(requireValues(parameters, sql));
}

/** Unchecked: the driver rejects a value that it cannot bind. */
export function asInputs(values: unknown[]): SQLInputValue[] {
  return values as SQLInputValue[];
}
