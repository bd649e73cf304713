import { type BigIntStats, realpathSync, statSync } from 'node:fs';
import { StorageUnavailable } from '../storage-failure.ts';

type Stats = Pick<BigIntStats, 'dev' | 'ino' | 'size'>;

export interface OpenFilesOptions {
  /** The file at the location just before it was opened; undefined if there was none. */
  before: Stats | undefined;
  /** The size of the database, in bytes. */
  databaseBytes: () => number;
  /** Called once, when a file is first missed. */
  onLost: (reason: string) => void;
}

/**
 * The files of an open database: the database, its log, and the index of the log that all processes share. SQLite
 * continues without an error on files that were removed or replaced, but no other process and no restart finds what it
 * writes there.
 */
export class OpenFiles {
  /** The files as they were opened, by path. */
  readonly #files: Map<string, Stats>;
  readonly #location: string;
  readonly #databaseBytes: () => number;
  readonly #onLost: (reason: string) => void;
  /** Size of the database file at the last check. */
  #size = 0n;
  #lost: string | undefined;
  /** Whether they were checked in this turn of the event loop. */
  #isChecked = false;

  /** Requires an open connection that has created the log. Throws if a file was removed or replaced meanwhile. */
  constructor(location: string, { before, databaseBytes, onLost }: OpenFilesOptions) {
    // The location may be a link, which SQLite has followed.
    const real = realpathSync(location);
    this.#location = location;
    this.#files = new Map([location, `${real}-wal`, `${real}-shm`].map((path) => [path, requireFile(path)]));
    this.#databaseBytes = databaseBytes;
    this.#onLost = onLost;
    if (before && !isSame(before, requireFile(location))) throw new Error('it was replaced meanwhile');
  }

  /**
   * Throws `StorageUnavailable` unless every path still leads to the file that was opened. From the first loss on it
   * always throws, because other processes may have used other files meanwhile.
   */
  assertInPlace(): void {
    this.#lost ??= this.#findLoss();
    this.assertUsable();
  }

  /** The same for reads, but looks at the files once in a turn of the event loop, however many there are. */
  assertReadable(): void {
    if (this.#isChecked) this.assertUsable();
    else {
      this.assertInPlace();
      this.#isChecked = true;
      setImmediate(() => {
        this.#isChecked = false;
      });
    }
  }

  /** Throws `StorageUnavailable` after a loss. Does not look at the files. */
  assertUsable(): void {
    if (this.#lost !== undefined) throw new StorageUnavailable(this.#lost);
  }

  /** From now on the database is neither read nor written. Call it before closing the connections, which removes the log. */
  giveUp(reason: string): void {
    this.#lost ??= reason;
  }

  #findLoss(): string | undefined {
    for (const [path, opened] of this.#files) {
      const change = this.#changeOf(path, opened);
      if (change === undefined) continue;
      const reason = `${path} was ${change} while it was in use`;
      this.#onLost(reason);
      return reason;
    }
    return undefined;
  }

  /** No other file gets the inode number of a file that is open, so the comparison is exact. */
  #changeOf(path: string, opened: Stats): string | undefined {
    const found = findFile(path);
    if (!found) return 'removed';
    if (!isSame(found, opened)) return 'replaced';
    return path === this.#location && this.#isOverwritten(found) ? 'overwritten' : undefined;
  }

  /** SQLite makes the file shorter only to the size of a vacuumed database. */
  #isOverwritten({ size }: Stats): boolean {
    const isShorter = size < this.#size;
    this.#size = size;
    return isShorter && size < this.#databaseBytes();
  }
}

/** The file at a path; undefined if there is none. */
export function findFile(path: string): Stats | undefined {
  try {
    // Some file systems have inode numbers above 2^53.
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    throw new StorageUnavailable(`${path} is inaccessible`, { cause: error });
  }
}

function requireFile(path: string): Stats {
  const found = findFile(path);
  if (!found) throw new Error(`${path} was removed meanwhile`);
  return found;
}

function isSame(one: Stats, other: Stats): boolean {
  return one.ino === other.ino && one.dev === other.dev;
}
