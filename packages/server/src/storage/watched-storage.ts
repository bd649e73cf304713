import type { Connection } from './query.ts';
import type { SnapshotWork } from './snapshot.ts';
import type { Storage } from './storage.ts';
import type { Tables } from './tables.ts';

/** A storage that tells, after each commit, which rows it has stored anew in one table. */
export class WatchedStorage<Table extends keyof Tables> implements Storage {
  readonly engine: Storage['engine'];
  readonly reader: Connection;
  /** Called after each commit that has stored rows of the table. */
  onInserted: (rows: Tables[Table][]) => void = () => {};
  readonly #storage: Storage;
  readonly #table: Table;

  constructor(storage: Storage, table: Table) {
    this.engine = storage.engine;
    this.reader = storage.reader;
    this.#storage = storage;
    this.#table = table;
  }

  async write<Result>(work: (transaction: Connection) => Promise<Result>): Promise<Result> {
    let inserted: Tables[Table][] = [];
    const result = await this.#storage.write((transaction) => {
      // The work is done again after a lost race.
      inserted = [];
      return work(this.#watch(transaction, inserted));
    });
    if (inserted.length > 0) this.onInserted(inserted);
    return result;
  }

  snapshot<Item>(work: SnapshotWork<Item>): AsyncGenerator<Item, undefined> {
    return this.#storage.snapshot(work);
  }

  ping(): Promise<void> {
    return this.#storage.ping();
  }

  close(): Promise<void> {
    return this.#storage.close();
  }

  #watch(transaction: Connection, inserted: Tables[Table][]): Connection {
    return {
      builder: transaction.builder,
      rows: (statement) => transaction.rows(statement),
      run: (statement) => transaction.run(statement),
      insertNew: (table, rows) => {
        if ((table as keyof Tables) === this.#table) inserted.push(...(rows as never[]));
        return transaction.insertNew(table, rows);
      },
    };
  }
}
