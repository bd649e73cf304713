import {
  closeSync,
  existsSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  openSync,
  read,
  readSync,
  realpathSync,
  rmSync,
  write,
  writeFileSync,
  writeSync,
} from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { StorageUnavailable } from '../failure.ts';
import type { QueryBuilder, Reader } from '../statement.ts';
import type { SqliteChanges } from './changes.ts';
import { SqliteCheckpoints } from './checkpoints.ts';
import { SqliteConnection } from './connection.ts';
import { checkpointPages, lockWhileOpening, openSqliteDatabase, pageBytes } from './database.ts';
import { asStorageFailure } from './failure.ts';
import type { ForeignCommits } from './foreign-commits.ts';

const syncFile = promisify(fdatasync);
const readFile = promisify(read);
const writeFile = promisify(write);

/** The header of the log, and that of each of its pages. */
const [logHeaderBytes, pageHeaderBytes] = [32, 24];
const rewrittenBytes = 1_048_576;

export interface SqliteLogParts {
  location: string;
  writer: DatabaseSync;
  builder: QueryBuilder;
  /** Learns when a commit is durable. */
  changes: SqliteChanges;
  /** Their processes may not have synced them yet. */
  foreign: ForeignCommits;
}

/**
 * The write-ahead log of an open file. A commit appends to it without a wait for the disk, and is synced after that, on
 * the thread pool. Until then a power failure undoes it, although every other connection sees it. So results that
 * include it leave the process only after `synced`.
 */
export class SqliteLog {
  readonly #file: number;
  /** This file exists from a failed sync until the log is rewritten: a process that starts meanwhile rewrites it. */
  readonly #mark: string;
  readonly #parts: SqliteLogParts;
  /** Keeps the state before a commit until that is durable. */
  readonly #reader: DatabaseSync;
  readonly #durableState: Reader;
  readonly #checkpoints: SqliteCheckpoints;
  /** The number of foreign commits that are synced. */
  #syncedForeign: number;
  /** The sync under way. */
  #running: Promise<void> | undefined;
  /** The sync after it: appends made since the first one began are certain to be on disk only then. */
  #next: Promise<void> | undefined;
  /** Whether a commit of this process is not durable yet. */
  #isPending = false;
  /** In pages, after the last commit of this process. */
  #length = 0;
  /** Whether the last sync has failed. */
  #hasFailed = false;
  /** Whether one has failed since the log was last rewritten. */
  #mustRewrite = false;

  constructor(parts: SqliteLogParts) {
    const { location, writer, builder } = parts;
    this.#parts = parts;
    this.#reader = openSqliteDatabase(location, { readOnly: true });
    this.#durableState = new SqliteConnection(this.#reader, builder, asStorageFailure);
    // The location may be a link, which SQLite has followed.
    const path = `${realpathSync(location)}-wal`;
    this.#file = openSync(path, 'r+');
    this.#mark = `${path}-unsynced`;
    this.#checkpoints = new SqliteCheckpoints(location, checkpointPages(writer));
    this.#syncedForeign = parts.foreign.count();
    // A process that was killed may have left commits that are not synced.
    try {
      const isMarked = existsSync(this.#mark);
      if (isMarked) this.#rewriteLocked();
      fdatasyncSync(this.#file);
      if (isMarked) this.#setMark(false);
    } catch (error) {
      closeSync(this.#file);
      this.#reader.close();
      throw error;
    }
  }

  /** Call it before a write. Throws when the last commit cannot be synced. */
  async ready(): Promise<void> {
    if (this.#hasFailed) await this.sync();
    if (this.#checkpoints.isRestartDue) await this.#restart();
  }

  /**
   * Commits, and returns a promise that resolves once the commit is durable. There must be no other commit until then.
   */
  commit(commit: () => void): Promise<void> {
    if (this.#hasFailed) throw notSynced();
    try {
      // A transaction begins with its first query, which may fail too.
      this.#reader.exec('begin; select 1 from sqlite_master limit 1');
      commit();
    } catch (error) {
      if (this.#reader.isTransaction) this.#reader.exec('commit');
      throw error;
    }
    this.#isPending = true;
    this.#length = this.#parts.foreign.logPages();
    this.#parts.changes.committed();
    return this.sync();
  }

  /** Resolves once all commits of this moment are on disk. Throws when they may not be. */
  sync(): Promise<void> {
    if (this.#running) this.#next ??= this.#running.catch(() => {}).then(() => this.#start());
    return this.#next ?? this.#start();
  }

  /**
   * The same without a new sync, if each commit already has one. Does not wait for syncs that they do not need, which
   * may fail.
   */
  async synced(): Promise<void> {
    if (this.#hasForeign() || (this.#isPending && this.#hasFailed)) await this.sync();
    else if (this.#isPending) await (this.#next ?? this.#running);
  }

  /** Reads the state before a commit that cannot be synced: nothing since is acknowledged. Undefined when there is none. */
  durableState(): Reader | undefined {
    return this.#isPending && this.#hasFailed && !this.#hasForeign() ? this.#durableState : undefined;
  }

  async close(): Promise<void> {
    await (this.#next ?? this.#running)?.catch(() => {});
    await this.#checkpoints.close();
    closeSync(this.#file);
    this.#reader.close();
  }

  async #restart(): Promise<void> {
    await this.synced();
    await this.#checkpoints.restart((commit) => this.#parts.foreign.exceptRestart(commit));
  }

  #start(): Promise<void> {
    this.#next = undefined;
    this.#running = this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #run(): Promise<void> {
    const isPending = this.#isPending;
    try {
      const foreign = this.#parts.foreign.count();
      // Otherwise the previous sync sufficed, and this one could fail needlessly.
      if (isPending || foreign !== this.#syncedForeign) {
        if (this.#mustRewrite && isPending) await this.#rewrite();
        await syncFile(this.#file);
        this.#syncedForeign = foreign;
      }
    } catch (error) {
      // Each time: another process that has rewritten the log meanwhile has removed it.
      this.#setMark(true);
      this.#hasFailed = true;
      this.#mustRewrite = true;
      throw notSynced(error);
    }
    this.#hasFailed = false;
    if (isPending) this.#publish();
    if (!this.#isPending) this.#checkpoints.copyWhenDue(this.#length);
  }

  /** The commit is durable. */
  #publish(): void {
    this.#isPending = false;
    if (this.#mustRewrite) this.#setMark(false);
    this.#mustRewrite = false;
    this.#reader.exec('commit');
    this.#parts.changes.durable();
  }

  /**
   * After a failed sync, the next one may succeed without writing the lost pages: the system takes them for written.
   * The gap may be a commit of another process, even of a killed one, and a restart finds nothing behind a gap. While
   * the earlier state is read, no process restarts the log, and nothing of it changes.
   */
  async #rewrite(): Promise<void> {
    const pages = this.#parts.foreign.logPages();
    if (pages < 0) throw new Error('another process is changing the log');
    const end = logHeaderBytes + pages * (pageHeaderBytes + pageBytes(this.#parts.writer));
    const buffer = Buffer.allocUnsafe(rewrittenBytes);
    for (let at = 0; at < end; at += rewrittenBytes) {
      const { bytesRead } = await readFile(this.#file, buffer, 0, Math.min(rewrittenBytes, end - at), at);
      await writeFile(this.#file, buffer, 0, bytesRead, at);
    }
  }

  /**
   * The same before this process has written anything. The lock prevents other processes from changing the log
   * meanwhile.
   */
  #rewriteLocked(): void {
    lockWhileOpening(this.#parts.writer, () => {
      const buffer = Buffer.allocUnsafe(rewrittenBytes);
      const { size } = fstatSync(this.#file);
      for (let at = 0; at < size; at += rewrittenBytes) {
        const bytesRead = readSync(this.#file, buffer, 0, rewrittenBytes, at);
        writeSync(this.#file, buffer, 0, bytesRead, at);
      }
    });
  }

  #setMark(isUnsynced: boolean): void {
    try {
      if (isUnsynced) writeFileSync(this.#mark, '');
      else rmSync(this.#mark, { force: true });
    } catch {
      // The folder cannot be written to either. A leftover mark only makes the next process rewrite the log.
    }
  }

  #hasForeign(): boolean {
    return this.#parts.foreign.count() !== this.#syncedForeign;
  }
}

function notSynced(cause?: unknown): StorageUnavailable {
  return new StorageUnavailable('the log of the database cannot be synced', { cause });
}
