import type { KnownSchemas } from './migrations/known-schemas.ts';
import type { Connection, SnapshotWork } from './query.ts';
import type { RequestLookups } from './request-lookups.ts';
import type {
  FeedOrder,
  Measures,
  Migrator,
  SchemaReader,
  Storage,
  StorageObserver,
  WriteOptions,
  WriteWork,
} from './storage.ts';
import type { Tables } from './tables.ts';

/**
 * A storage that reports each commit, and after it the rows inserted into one table: one row per distinct value of the
 * given columns, so that a write of any size holds only what it reports.
 */
export class WatchedStorage<Table extends keyof Tables, Column extends keyof Tables[Table]> implements Storage {
  readonly engine: Storage['engine'];
  readonly reader: Connection;
  readonly requestLookups: RequestLookups;
  readonly measures: Measures;
  readonly schemas: KnownSchemas;
  readonly schemaReader: SchemaReader;
  readonly migrator: Migrator;
  readonly feedOrder: FeedOrder;
  readonly snapshotsAtOnce: number;
  /** Called after each commit that inserted rows into the table. */
  onInserted: (rows: Pick<Tables[Table], Column>[]) => void = () => {};
  /** Called after each commit, of any rows. */
  onCommitted: () => void = () => {};
  readonly #storage: Storage;
  readonly #table: Table;
  readonly #columns: Column[];

  constructor(storage: Storage, table: Table, columns: Column[]) {
    this.engine = storage.engine;
    this.reader = storage.reader;
    this.requestLookups = storage.requestLookups;
    this.measures = storage.measures;
    this.schemas = storage.schemas;
    this.schemaReader = storage.schemaReader;
    this.migrator = storage.migrator;
    this.feedOrder = storage.feedOrder;
    this.snapshotsAtOnce = storage.snapshotsAtOnce;
    this.#storage = storage;
    this.#table = table;
    this.#columns = columns;
  }

  async write<Result>(work: WriteWork<Result>, options?: WriteOptions): Promise<Result> {
    const inserted = new Map<string, Tables[Table]>();
    const result = await this.#storage.write((transaction) => {
      // The work runs again after a lost race.
      inserted.clear();
      return work(this.#watch(transaction, inserted));
    }, options);
    if (inserted.size > 0) this.onInserted([...inserted.values()]);
    this.onCommitted();
    return result;
  }

  snapshot<Item>(work: SnapshotWork<Item>): AsyncGenerator<Item, undefined> {
    return this.#storage.snapshot(work);
  }

  observe(observer: StorageObserver): void {
    this.#storage.observe(observer);
  }

  ping(): Promise<void> {
    return this.#storage.ping();
  }

  warnings(): Promise<string[]> {
    return this.#storage.warnings();
  }

  close(): Promise<void> {
    return this.#storage.close();
  }

  #watch(transaction: Connection, inserted: Map<string, Tables[Table]>): Connection {
    return {
      builder: transaction.builder,
      rows: (statement) => transaction.rows(statement),
      run: (statement) => transaction.run(statement),
      insertNew: (table, rows) => {
        const watched: Tables[Table][] = (table as keyof Tables) === this.#table ? (rows as never[]) : [];
        for (const row of watched) inserted.set(this.#keyOf(row), row);
        return transaction.insertNew(table, rows);
      },
    };
  }

  #keyOf(row: Tables[Table]): string {
    return JSON.stringify(this.#columns.map((column) => row[column]));
  }
}
