import { parentPort, workerData } from 'node:worker_threads';
import { openSqliteDatabase } from './database.ts';

/** What the thread of `SqliteCheckpoints` does. */
export type CheckpointStep = 'copy' | 'restart' | 'close';

/** The response to a step. */
export interface CheckpointResult {
  error?: unknown;
  /** The pages that the step did not copy, because an earlier read needs what they replace. */
  left?: number;
}

/** The writes of all processes may wait that long for a read that needs the log. */
const lockWaitMsMax = 100;

const database = openSqliteDatabase(String(workerData), { readOnly: false });
database.exec(`pragma busy_timeout = ${lockWaitMsMax}`);

const steps: Record<CheckpointStep, () => number> = {
  copy() {
    const { log, checkpointed } = database.prepare('pragma wal_checkpoint(passive)').get() ?? {};
    return Number(log) - Number(checkpointed);
  },
  restart() {
    // Keeps other processes from writing until all is copied: else some of their commits would always be left, and the
    // log would grow for ever. The first write after that begins the log anew, and waits for a sync.
    database.exec('pragma wal_checkpoint(restart); begin immediate; pragma user_version = 0; commit');
    return 0;
  },
  close() {
    database.close();
    return 0;
  },
};

parentPort?.on('message', (step: CheckpointStep) => {
  parentPort?.postMessage(execute(step));
});

function execute(step: CheckpointStep): CheckpointResult {
  try {
    return { left: steps[step]() };
  } catch (error) {
    return { error };
  }
}
