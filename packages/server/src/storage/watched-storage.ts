import type { Connection } from './query.ts';
import { type Storage, type WriteOptions, type WriteWork, withWrite } from './storage.ts';
import type { Tables } from './tables.ts';

/** A storage that reports each commit, and after it the rows inserted into one table. */
export interface WatchedStorage<Row> extends Storage {
  /** Called after each commit that inserted rows into the table. */
  onInserted: (rows: Row[]) => void;
  /** Called after each commit, of any rows. */
  onCommitted: () => void;
}

/**
 * Reports one row per distinct value of the given columns, so that a write of any size holds only what it reports.
 */
export function watchStorage<Table extends keyof Tables, Column extends keyof Tables[Table]>(
  storage: Storage,
  table: Table,
  columns: Column[],
): WatchedStorage<Pick<Tables[Table], Column>> {
  const watched = {
    ...withWrite(storage, write),
    onInserted: (_: Pick<Tables[Table], Column>[]) => {},
    onCommitted: () => {},
  };
  return watched;

  async function write<Result>(work: WriteWork<Result>, options?: WriteOptions): Promise<Result> {
    const inserted = new Map<string, Tables[Table]>();
    const result = await storage.write((transaction) => {
      // The work runs again after a lost race.
      inserted.clear();
      return work(watch(transaction, inserted));
    }, options);
    if (inserted.size > 0) watched.onInserted([...inserted.values()]);
    watched.onCommitted();
    return result;
  }

  function watch(transaction: Connection, inserted: Map<string, Tables[Table]>): Connection {
    return {
      builder: transaction.builder,
      rows: (statement) => transaction.rows(statement),
      run: (statement) => transaction.run(statement),
      insertNew: (into, rows) => {
        const seen: Tables[Table][] = (into as keyof Tables) === table ? (rows as never[]) : [];
        for (const row of seen) inserted.set(JSON.stringify(columns.map((column) => row[column])), row);
        return transaction.insertNew(into, rows);
      },
    };
  }
}
