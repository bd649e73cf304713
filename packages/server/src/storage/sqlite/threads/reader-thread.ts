import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { StorageUnavailable } from '../../failure.ts';
import { type RowMaker, rowMaker } from '../query.ts';
import {
  progressAt,
  type ReadError,
  type ReaderMessage,
  type ReaderResponse,
  type ReadResult,
} from './reader-messages.ts';

const program = new URL(`./read-worker${extname(import.meta.filename)}`, import.meta.url);

/** A batch that takes longer is slow: its reads that have not begun are taken over by another thread. */
const slowMs = 10;

/** The connections that the threads have to one file. */
export interface ReadConnection {
  id: number;
  location: string;
}

/** One execution of a statement. It may be executed twice; then its first outcome counts. */
export interface Read {
  connection: ReadConnection;
  /** Undefined for a statement that is not executed repeatedly. */
  name: string | undefined;
  sql: string;
  values: readonly unknown[];
  resolve: (rows: unknown[]) => void;
  reject: (error: unknown) => void;
}

export interface ReaderThreadEvents {
  /** Called when a batch turns out to be slow, with its reads that have not begun. */
  onSlow: (waiting: Read[]) => void;
  /** Called when the next batch may come. */
  onIdle: () => void;
  /** Called when the thread has ended; its reads are refused. */
  onEnded: () => void;
}

/** A thread with read-only connections of its own. Executes one batch at a time, and does not keep the process alive when it has none. */
export class ReaderThread {
  readonly #events: ReaderThreadEvents;
  readonly #worker: Worker;
  readonly #progress = new Int32Array(new SharedArrayBuffer(8));
  readonly #slowTimer: NodeJS.Timeout;
  /** The statements that the thread knows by name, with their row makers once the columns are known. */
  readonly #rowMakers = new Map<string, RowMaker | undefined>();
  readonly #opened = new Set<number>();
  readonly #closing = new Map<number, () => void>();
  #batch: Read[] = [];
  /** The reads of the batch that only this thread executes. */
  #responsible: Read[] = [];
  /** How many reads of the batch have their results. */
  #settled = 0;
  isBusy = false;
  /** Whether it is still busy with the read that made its batch slow. */
  isSlow = false;

  constructor(events: ReaderThreadEvents) {
    this.#events = events;
    // Without the environment, whose secrets it does not need, and without what tests preload.
    this.#worker = new Worker(program, { name: 'reader', workerData: this.#progress.buffer, env: {}, execArgv: [] });
    let reason: unknown;
    this.#worker.on('message', (response: ReaderResponse) => this.#receive(response));
    this.#worker.on('error', (error) => (reason = error));
    this.#worker.on('exit', () => this.#end(reason));
    this.#worker.unref();
    this.#slowTimer = setTimeout(() => this.#checkProgress(), slowMs).unref();
  }

  run(batch: Read[]): void {
    this.#batch = batch;
    this.#responsible = batch;
    this.isSlow = false;
    this.#settled = 0;
    this.isBusy = true;
    this.#progress.fill(0);
    for (const read of batch) this.#prepare(read);
    this.#worker.ref();
    this.#send({ reads: batch.map(({ connection, name, sql, values }) => [connection.id, name ?? sql, values]) });
    this.#slowTimer.refresh();
  }

  /** Resolves when the thread has no such connection. None of its reads may be running. */
  async close({ id }: ReadConnection): Promise<void> {
    if (!this.#opened.delete(id)) return;
    this.#worker.ref();
    this.#send({ close: id });
    await new Promise<void>((resolve) => this.#closing.set(id, resolve));
  }

  #prepare({ connection, name, sql }: Read): void {
    if (!this.#opened.has(connection.id)) {
      this.#opened.add(connection.id);
      this.#send({ open: connection.id, location: connection.location });
    }
    if (name === undefined || this.#rowMakers.has(name)) return;
    this.#rowMakers.set(name, undefined);
    this.#send({ name, sql });
  }

  #send(message: ReaderMessage): void {
    this.#worker.postMessage(message);
  }

  #receive(response: ReaderResponse): void {
    if ('closed' in response) {
      this.#closing.get(response.closed)?.();
      this.#closing.delete(response.closed);
    } else {
      for (const result of response.results) this.#settle(result);
      if (response.isDone) this.isBusy = false;
    }
    if (this.isBusy) return;
    if (this.#closing.size === 0) this.#worker.unref();
    this.#events.onIdle();
  }

  #settle(result: ReadResult): void {
    const read = this.#batch[this.#settled] as Read;
    this.#settled += 1;
    if ('error' in result) {
      read.reject(driverError(result.error));
      return;
    }
    const rowOf = result.names ? rowMaker(result.names) : (this.#rowMakers.get(read.name ?? '') as RowMaker);
    if (read.name !== undefined) this.#rowMakers.set(read.name, rowOf);
    read.resolve(result.rows.map((row) => rowOf(row)));
  }

  #checkProgress(): void {
    if (!this.isBusy) return;
    const begun = Atomics.load(this.#progress, progressAt.begun);
    // It has not started yet, or is done, and its response waits for this thread.
    if (begun === 0) this.#slowTimer.refresh();
    else this.#handOver(begun - 1);
  }

  /** Hands over all reads without a result but the slow one. */
  #handOver(slow: number): void {
    Atomics.store(this.#progress, progressAt.isStopped, 1);
    const waiting = this.#batch.filter((_, at) => at >= this.#settled && at !== slow);
    this.#responsible = this.#batch.slice(slow, slow + 1);
    this.isSlow = true;
    this.#events.onSlow(waiting);
  }

  #end(reason: unknown): void {
    clearTimeout(this.#slowTimer);
    for (const resolve of this.#closing.values()) resolve();
    const failure = new StorageUnavailable('the thread that reads has ended', { cause: reason });
    for (const read of this.#responsible) read.reject(failure);
    this.#events.onEnded();
  }
}

/** An error of the driver in a thread. */
export function driverError({ message, ...codes }: ReadError): Error {
  return Object.assign(new Error(message), codes);
}
