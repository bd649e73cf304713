import { parentPort, workerData } from 'node:worker_threads';
import { openSqliteDatabase } from './database.ts';

/** What the thread of `SqliteCheckpoints` does. */
export type CheckpointStep = 'copy' | 'lock' | 'commit' | 'close';

/** `left` is the number of pages that were not copied, because an earlier read needs what they replace. */
export type CheckpointResult = { left: number } | { error: unknown };

/** Maximum time that the writes of all processes wait for a read that needs the log. */
const lockWaitMsMax = 100;

const database = openSqliteDatabase(String(workerData), { readOnly: false });
database.exec(`pragma busy_timeout = ${lockWaitMsMax}`);

const steps: Record<CheckpointStep, () => number> = {
  copy: () => copy('passive'),
  lock() {
    // Keeps other processes from writing until all is copied: otherwise some of their commits would always be left, and
    // the log would grow forever.
    const left = copy('restart');
    database.exec('begin immediate; pragma user_version = 0');
    return left;
  },
  commit() {
    database.exec('commit');
    return 0;
  },
  close() {
    database.close();
    return 0;
  },
};

function copy(mode: 'passive' | 'restart'): number {
  const { log, checkpointed } = database.prepare(`pragma wal_checkpoint(${mode})`).get() ?? {};
  return Number(log) - Number(checkpointed);
}

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
