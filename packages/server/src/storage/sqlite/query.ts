import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { requireValues } from '../query.ts';
import type { Statement } from '../statement.ts';

/** A prepared statement that returns plain objects: the driver's are slow to copy and survive some garbage collections. */
export class SqliteQuery {
  readonly #statement: StatementSync;
  readonly #rowOf: RowMaker;

  constructor(database: DatabaseSync, sql: string) {
    this.#statement = database.prepare(sql);
    this.#statement.setReturnArrays(true);
    this.#rowOf = rowMaker(this.#statement.columns().map(({ name }) => name));
  }

  all<Row>(values: SQLInputValue[]): Row[] {
    return this.#statement.all(...values).map((row) => this.#rowOf<Row>(row));
  }

  get<Row>(values: SQLInputValue[]): Row | undefined {
    const row = this.#statement.get(...values);
    return row && this.#rowOf<Row>(row);
  }

  /** Returns the number of changed rows. */
  run(values: SQLInputValue[]): number {
    return Number(this.#statement.run(...values).changes);
  }
}

/** Makes a row from its values: an array, because of `setReturnArrays`. */
export type RowMaker = <Row>(values: Record<number, SQLOutputValue>) => Row;

/** Makes rows with these columns, as copies of an empty one: adding a column after the other moves a long row again and again. */
export function rowMaker(names: readonly string[]): RowMaker {
  const empty: Record<string, SQLOutputValue | undefined> = Object.fromEntries(names.map((name) => [name, undefined]));
  return <Row>(values: Record<number, SQLOutputValue>) => {
    const row = { ...empty };
    let at = 0;
    for (const name of names) row[name] = values[at++];
    return row as Row;
  };
}

/** The values of a statement, for the driver. */
export function valuesOf({ sql, parameters }: Statement): SQLInputValue[] {
  return asInputs(requireValues(parameters, sql));
}

/** Unchecked: the driver rejects a value that it cannot bind. */
export function asInputs(values: unknown[]): SQLInputValue[] {
  return values as SQLInputValue[];
}
