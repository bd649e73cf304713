import { UnusableDatabase } from './failure.ts';
import { migrate } from './migrate.ts';
import { PostgresStorage } from './postgres.ts';
import type { Connection } from './query.ts';
import type { SnapshotWork } from './snapshot.ts';
import { SqliteStorage } from './sqlite.ts';

/** One database, whichever engine keeps it. */
export interface Storage {
  readonly engine: 'sqlite' | 'postgres';
  /** Each query sees everything that was committed before it began, and is one snapshot. */
  readonly reader: Connection;
  /**
   * Does the work in one transaction: resolves once it is durable, and leaves nothing behind when it
   * throws. The work may be done again after a lost race, so it must change nothing but rows.
   */
  write<Result>(work: (transaction: Connection) => Promise<Result>): Promise<Result>;
  /**
   * Reads any amount at constant memory, all of it of one moment. What the work yields is passed on; its
   * connection is given back when it ends, throws, or its consumer stops (by `return`, as `for await` does).
   */
  snapshot<Item>(work: SnapshotWork<Item>): AsyncGenerator<Item, undefined>;
  /** Throws when the database cannot take a write now. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Opens the database behind a URL and brings its schema up to this program's, or throws `UnusableDatabase`. */
export async function openStorage(url: string): Promise<Storage> {
  const storage = url.startsWith('sqlite:')
    ? SqliteStorage.open(url.slice('sqlite:'.length))
    : await PostgresStorage.open(url);
  try {
    await migrate(storage);
    return storage;
  } catch (error) {
    await storage.close();
    if (error instanceof UnusableDatabase) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new UnusableDatabase(`The schema of the database cannot be made or upgraded: ${reason}.`, { cause: error });
  }
}
