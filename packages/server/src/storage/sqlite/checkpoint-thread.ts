import { parentPort, workerData } from 'node:worker_threads';
import { openSqliteDatabase } from './database.ts';

/** What the thread of `SqliteCheckpoints` does. */
export type CheckpointStep = 'copy' | 'restart' | 'close';

const database = openSqliteDatabase(String(workerData), { readOnly: false });
const steps: Record<CheckpointStep, () => void> = {
  copy: () => database.exec('pragma wal_checkpoint(passive)'),
  // The first write after everything was copied begins the log anew, and waits for a sync.
  restart: () => database.exec('pragma wal_checkpoint(passive); begin immediate; pragma user_version = 0; commit'),
  close: () => database.close(),
};

parentPort?.on('message', (step: CheckpointStep) => {
  try {
    steps[step]();
    parentPort?.postMessage({});
  } catch (error) {
    parentPort?.postMessage({ error });
  }
});
