import { parentPort, workerData } from 'node:worker_threads';
import { openSqliteDatabase } from './database.ts';

/** What the thread of `SqliteCheckpoints` does. */
export type CheckpointStep = 'copy' | 'restart' | 'close';

const database = openSqliteDatabase(String(workerData), { readOnly: false });
const copy = database.prepare('pragma wal_checkpoint(passive)');
/** Each returns the length of the log. */
const steps: Record<CheckpointStep, () => number> = {
  copy: () => Number(copy.get()?.log),
  // The first write after everything was copied begins the log anew, and waits for a sync.
  restart: () => {
    const length = Number(copy.get()?.log);
    database.exec('begin immediate; pragma user_version = 0; commit');
    return length;
  },
  close: () => {
    database.close();
    return 0;
  },
};

parentPort?.on('message', (step: CheckpointStep) => {
  try {
    parentPort?.postMessage({ length: steps[step]() });
  } catch (error) {
    parentPort?.postMessage({ error });
  }
});
