import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { requireValues } from '../query.ts';
import type { Statement } from '../statement.ts';

/**
 * A prepared statement whose rows are plain objects: those of the driver are slow to copy, and outlive some collections
 * of garbage.
 */
export class SqliteQuery {
  readonly #statement: StatementSync;
  readonly #names: string[];

  constructor(database: DatabaseSync, sql: string) {
    this.#statement = database.prepare(sql);
    this.#statement.setReturnArrays(true);
    this.#names = this.#statement.columns().map(({ name }) => name);
  }

  all(values: SQLInputValue[]): object[] {
    const rows = this.#statement.all(...values) as unknown as unknown[][];
    return rows.map((row) => this.#toObject(row));
  }

  /** The number of rows that were changed. */
  run(values: SQLInputValue[]): number {
    return Number(this.#statement.run(...values).changes);
  }

  /** The next rows at each call, so many of them; fewer at the end. */
  batches<Row>(values: SQLInputValue[], rowsMax: number): () => Row[] {
    const rows = this.#statement.iterate(...values) as unknown as Iterator<unknown[]>;
    return () => {
      const batch: Row[] = [];
      // Not `take`, which ends the iteration.
      while (batch.length < rowsMax) {
        const { done, value } = rows.next();
        if (done) break;
        batch.push(this.#toObject(value) as Row);
      }
      return batch;
    };
  }

  #toObject(values: unknown[]): object {
    const row: Record<string, unknown> = {};
    for (let at = 0; at < values.length; at += 1) row[this.#names[at] as string] = values[at];
    return row;
  }
}

/** The values of a statement, for the driver. */
export function valuesOf({ sql, parameters }: Statement): SQLInputValue[] {
  return requireValues(parameters, sql) as SQLInputValue[];
}
