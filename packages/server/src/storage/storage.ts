import type { Gate } from './gate.ts';
import type { Measures, StorageObserver } from './measures.ts';
import type { Connection } from './query.ts';
import type { SnapshotWork } from './snapshot.ts';

/** One database, whichever engine keeps it. */
export interface Storage {
  readonly engine: 'sqlite' | 'postgres';
  /** Each query sees everything that was committed before it began, and is one snapshot. */
  readonly reader: Connection;
  readonly gate: Gate;
  readonly measures: Measures;
  /**
   * Does the work in one transaction: resolves once it is durable, and leaves nothing behind when it
   * throws. The work may be done again, after a lost race or beside one that fails, so it must change nothing but rows.
   */
  write<Result>(work: (transaction: Connection) => Promise<Result>): Promise<Result>;
  /**
   * Reads any amount at constant memory, all of it of one moment. What the work yields is passed on; its
   * connection is given back when it ends, throws, or its consumer stops (by `return`, as `for await` does).
   */
  snapshot<Item>(work: SnapshotWork<Item>): AsyncGenerator<Item, undefined>;
  /** Has one observer told what the database does from now on. */
  observe(observer: StorageObserver): void;
  /** Throws when the database cannot take a write now. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
