import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { openSqliteDatabase } from '../database.ts';
import {
  progressAt,
  type ReadError,
  type ReaderMessage,
  type ReaderResponse,
  type ReadRequest,
  type ReadResult,
} from './reader-messages.ts';

// The program of a reader thread, which `ReaderThread` starts. It imports little, so that it starts fast.

/** Results that are this old are sent before the next read, which may be slow. */
const heldMsMax = 1;

interface ReadConnection {
  location: string;
  /** Undefined before the first read. */
  database: DatabaseSync | undefined;
  prepared: Map<string, PreparedRead>;
}

interface PreparedRead {
  statement: StatementSync;
  names: string[];
}

const progress = new Int32Array(workerData as SharedArrayBuffer);
const connections = new Map<number, ReadConnection>();
const texts = new Map<string, string>();
/** Names of the statements whose columns were sent. */
const described = new Set<string>();

parentPort?.on('message', (message: ReaderMessage) => {
  if ('reads' in message) readAll(message.reads);
  else if ('name' in message) texts.set(message.name, message.sql);
  else if ('open' in message) {
    connections.set(message.open, { location: message.location, database: undefined, prepared: new Map() });
  } else {
    connections.get(message.close)?.database?.close();
    connections.delete(message.close);
    send({ closed: message.close });
  }
});

function readAll(reads: ReadRequest[]): void {
  let results: ReadResult[] = [];
  let sentAt = performance.now();
  for (const read of reads) {
    if (Atomics.load(progress, progressAt.isStopped)) break;
    const now = performance.now();
    if (now - sentAt > heldMsMax) {
      send({ results, isDone: false });
      results = [];
      sentAt = now;
    }
    Atomics.add(progress, progressAt.begun, 1);
    results.push(resultOf(read));
  }
  Atomics.store(progress, progressAt.begun, 0);
  send({ results, isDone: true });
}

function resultOf([id, query, values]: ReadRequest): ReadResult {
  try {
    const { statement, names } = prepare(connections.get(id) as ReadConnection, query);
    // Arrays, because of `setReturnArrays`.
    const rows = statement.all(...(values as SQLInputValue[])) as unknown as SQLOutputValue[][];
    if (described.has(query)) return { rows, names: undefined };
    if (texts.has(query)) described.add(query);
    return { rows, names };
  } catch (error) {
    const { message, code, errcode } = error as ReadError;
    return { error: { message, code, errcode } };
  }
}

function prepare(connection: ReadConnection, query: string): PreparedRead {
  connection.database ??= openSqliteDatabase(connection.location, { readOnly: true });
  const known = connection.prepared.get(query);
  if (known) return known;
  const statement = connection.database.prepare(texts.get(query) ?? query);
  statement.setReturnArrays(true);
  const prepared = { statement, names: statement.columns().map(({ name }) => name) };
  if (texts.has(query)) connection.prepared.set(query, prepared);
  return prepared;
}

function send(response: ReaderResponse): void {
  parentPort?.postMessage(response);
}
