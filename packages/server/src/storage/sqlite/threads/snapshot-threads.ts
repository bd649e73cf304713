import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { StorageUnavailable } from '../../failure.ts';
import type { Statement } from '../../statement.ts';
import { asStorageFailure } from '../failure.ts';
import { rowMaker, valuesOf } from '../query.ts';
import { driverError } from './reader-thread.ts';
import type { SnapshotRequest, SnapshotResponse, SnapshotResult, SnapshotStep } from './snapshot-worker.ts';

const program = new URL(`./snapshot-worker${extname(import.meta.filename)}`, import.meta.url);

/** Further snapshots share threads, and wait for each other's pages from the disk. */
export const snapshotThreadsMax = 4;

type Rows = Extract<SnapshotResult, { rows: unknown }>;

/**
 * Threads that read long lists, so that waits for the disk do not block the thread that serves. They are started when
 * needed.
 */
export class SnapshotThreads {
  readonly #threads = new Set<SnapshotThread>();

  /** A snapshot of a file at this moment. Throws what storage throws. */
  async open(location: string): Promise<ThreadSnapshot> {
    const thread = this.#leastUsed();
    const snapshot = new ThreadSnapshot(thread);
    try {
      await snapshot.open(location);
      return snapshot;
    } catch (error) {
      await snapshot.close();
      throw error;
    }
  }

  #leastUsed(): SnapshotThread {
    const [least] = [...this.#threads].sort((one, other) => one.snapshots - other.snapshots);
    if (least && (least.snapshots === 0 || this.#threads.size === snapshotThreadsMax)) return least;
    return this.#start();
  }

  #start(): SnapshotThread {
    try {
      const thread: SnapshotThread = new SnapshotThread(() => this.#threads.delete(thread));
      this.#threads.add(thread);
      return thread;
    } catch (error) {
      throw new StorageUnavailable('no thread that reads can be started', { cause: error });
    }
  }
}

/** A read transaction on a connection of its own, in a thread. */
export class ThreadSnapshot {
  readonly #thread: SnapshotThread;
  readonly #id: number;
  #queries = 0;

  constructor(thread: SnapshotThread) {
    this.#thread = thread;
    this.#id = thread.newId();
    thread.snapshots += 1;
  }

  async open(location: string): Promise<void> {
    await this.#request({ open: location });
  }

  /** At most `rowsMax` rows at a time, and the last ones may be none. */
  async *batches<Row>(statement: Statement<Row>, rowsMax: number): AsyncGenerator<Row[], undefined> {
    const query = this.#queries++;
    const first = await this.#request({ query, rowsMax, sql: statement.sql, values: valuesOf(statement) });
    const rowOf = rowMaker(first.names ?? []);
    for (let { rows } = first; ; { rows } = await this.#request({ query, rowsMax })) {
      yield rows.map((row) => rowOf<Row>(row));
      if (rows.length < rowsMax) return;
    }
  }

  async close(): Promise<void> {
    this.#thread.snapshots -= 1;
    // The thread may have ended, and its connections with it.
    await this.#request({ close: true }).catch(() => {});
  }

  async #request(step: SnapshotStep): Promise<Rows> {
    try {
      return await this.#thread.request(this.#id, step);
    } catch (error) {
      throw asStorageFailure(error);
    }
  }
}

/** Does not keep the process alive when nothing is requested. */
class SnapshotThread {
  readonly #worker: Worker;
  readonly #pending = new Map<number, PromiseWithResolvers<Rows>>();
  #latestId = 0;
  #failure: StorageUnavailable | undefined;
  /** Those that are open. */
  snapshots = 0;

  constructor(onEnded: () => void) {
    // Without the environment, whose secrets it does not need, and without what tests preload.
    this.#worker = new Worker(program, { name: 'snapshots', env: {}, execArgv: [] });
    let reason: unknown;
    this.#worker
      .on('message', (response: SnapshotResponse) => this.#receive(response))
      .on('error', (error) => (reason = error))
      .on('exit', () => {
        this.#failure = new StorageUnavailable('the thread that reads long lists has ended', { cause: reason });
        for (const { reject } of this.#pending.values()) reject(this.#failure);
        onEnded();
      });
    this.#worker.unref();
  }

  newId(): number {
    this.#latestId += 1;
    return this.#latestId;
  }

  request(snapshot: number, step: SnapshotStep): Promise<Rows> {
    if (this.#failure) return Promise.reject(this.#failure);
    const pending = Promise.withResolvers<Rows>();
    const request: SnapshotRequest = { id: this.newId(), snapshot, step };
    this.#pending.set(request.id, pending);
    this.#worker.ref();
    this.#worker.postMessage(request);
    return pending.promise;
  }

  #receive({ id, result }: SnapshotResponse): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (this.#pending.size === 0) this.#worker.unref();
    if ('error' in result) pending?.reject(driverError(result.error));
    else pending?.resolve(result);
  }
}
