import { parentPort, workerData } from 'node:worker_threads';
import { openSqliteDatabase } from './database.ts';

/** What the thread of `SqliteCheckpoints` does. */
export type CheckpointStep = 'copy' | 'restart' | 'close';

/** In pages. */
export interface CopiedLog {
  length: number;
  /** What was not copied, because an earlier read needs what it replaces. */
  left: number;
}

export type CheckpointResult = { log: CopiedLog } | { error: unknown };

/** The writes of all processes may wait that long for a read that needs the log. */
const lockWaitMsMax = 100;

const database = openSqliteDatabase(String(workerData), { readOnly: false });
database.exec(`pragma busy_timeout = ${lockWaitMsMax}`);

const steps: Record<CheckpointStep, () => CopiedLog> = {
  copy: () => copy('passive'),
  restart() {
    // Keeps other processes from writing until all is copied: else some of their commits would always be left, and the
    // log would grow for ever. The first write after that begins the log anew, and waits for a sync.
    const log = copy('restart');
    database.exec('begin immediate; pragma user_version = 0; commit');
    return log;
  },
  close() {
    database.close();
    return { length: 0, left: 0 };
  },
};

function copy(mode: 'passive' | 'restart'): CopiedLog {
  const { log, checkpointed } = database.prepare(`pragma wal_checkpoint(${mode})`).get() ?? {};
  return { length: Number(log), left: Number(log) - Number(checkpointed) };
}

parentPort?.on('message', (step: CheckpointStep) => {
  parentPort?.postMessage(execute(step));
});

function execute(step: CheckpointStep): CheckpointResult {
  try {
    return { log: steps[step]() };
  } catch (error) {
    return { error };
  }
}
