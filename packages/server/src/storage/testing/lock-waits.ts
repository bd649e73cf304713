import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Storage } from '../storage.ts';
import { execute } from './storage-test.ts';

/** Resolves once a write of this database waits for a lock. On SQLite, writes of one process wait from their start. */
export async function someoneWaits(storage: Storage): Promise<void> {
  await nextTurn();
  if (storage.engine === 'sqlite') return;
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  while ((await execute(storage.reader, waiting)).length === 0);
}
