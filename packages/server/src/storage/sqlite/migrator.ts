import { setTimeout as sleep } from 'node:timers/promises';
import { StorageUnavailable } from '../failure.ts';
import type { Migrator } from '../migrator.ts';
import type { Storage } from '../storage.ts';
import { isBusy } from './failure.ts';

/**
 * Longer than the writer of another process sleeps between attempts to get the lock, so that no writer waits for two
 * steps.
 */
const pauseMsMin = 20;
/** After a long write, when many may wait and the machine may be busy. */
const pauseMsMax = 500;
/** Number of attempts, each of which lasts as long as the writer waits for its lock. */
const attemptsMax = 12;

/**
 * The lock of a write is that of the file, for all processes. An index of a large table is built in one write, for
 * which others wait; reads continue.
 */
export function sqliteMigrator(storage: Pick<Storage, 'write'>): Migrator {
  return {
    lock: async () => {},
    alone: (work) => work(async () => {}),
    async write(work, onWait) {
      for (let attempt = 1; ; attempt += 1) {
        const startedAt = performance.now();
        try {
          return await storage.write(work);
        } catch (error) {
          if (!isHeld(error) || attempt === attemptsMax) throw error;
          onWait('waiting for another process that is writing');
        } finally {
          await sleep(Math.min(pauseMsMax, pauseMsMin + (performance.now() - startedAt) / 4));
        }
      }
    },
    runConcurrently: async () => false,
  };
}

function isHeld(error: unknown): boolean {
  return error instanceof StorageUnavailable && isBusy(error.cause);
}
