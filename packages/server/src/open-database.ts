import type { Logger } from 'pino';
import type { Config } from './config/config.ts';
import type { Log } from './log.ts';
import { renumberFeed } from './storage/kernel-queries.ts';
import { openStorage } from './storage/open-storage.ts';
import { advanceSequences, requireStoredSchema } from './storage/schema.ts';
import { type Storage, type WatchedStorage, watchStorage } from './storage/storage.ts';
import type { DeliveryRow } from './storage/tables.ts';

const whenLost =
  'database lost: reads and writes are refused until a restart. If the file was removed or replaced, do not stop this process before you have copied the file from it: "Database file removed or replaced" in docs/backup.md shows how. Starting without the database creates an empty registry.';
const whenSyncFailed =
  'the disk failed to sync a commit: this process ends. The changes of that commit may or may not be stored; all that were acknowledged earlier are. The next start makes the database durable, or reports why it cannot.';
const whenUnprepared =
  'the connection pooler does not support prepared statements: they are no longer used. Set DATABASE_PREPARE=0.';
const whenTimelineChanged =
  'the PostgreSQL server is on another timeline, after a failover or a recovery. Changes that it did not receive are lost.';
const whenRenumbered =
  'the events come from another PostgreSQL server, such as a restored dump: the event feed starts anew and refuses earlier cursors.';

const whenAdvanced =
  'the sequence of a table was behind its rows, as after logical replication or a restore of the data alone, and was advanced. While it was behind, changes failed. "app-registry migrate" does the same at any time.';

interface DatabaseOptions {
  logger: Logger;
  /** Called when the process must end without closing the database. */
  onSyncFailed: () => void;
}

/** Opens the database of a service. Logs what happens to it from then on. */
export async function openDatabase(
  { databaseUrl, postgres }: Config,
  { logger, onSyncFailed }: DatabaseOptions,
): Promise<WatchedStorage<Pick<DeliveryRow, 'webhook_id' | 'queue'>>> {
  const storage = await openStorage(databaseUrl, {
    create: true,
    ...postgres,
    // Where a registry was expected, the database is missing.
    onCreated: (place) => logger.warn({ place }, 'no registry found: created an empty one'),
    onMigrating: (line) => logger.info(`migrating the database: ${line}`),
    onLost: (reason) => logger.fatal({ reason }, whenLost),
    onSyncFailed: (reason) => {
      logger.fatal({ reason }, whenSyncFailed);
      onSyncFailed();
    },
    onUnprepared: (reason) => logger.warn({ reason }, whenUnprepared),
    onTimelineChanged: (change) => logger.warn(change, whenTimelineChanged),
  });
  return watchStorage(storage, 'deliveries', ['webhook_id', 'queue']);
}

/** Throws `UnusableDatabase` if the schema is not ours. Logs what the operator should know. */
export async function assessDatabase(storage: Storage, logger: Log): Promise<void> {
  const { isNewer, version: schemaVersion } = await requireStoredSchema(storage);
  if (isNewer) logger.warn({ schemaVersion }, 'schema not compared: it is newer than this program');
  for (const warning of await storage.warnings()) logger.warn(warning);
  if (await renumberFeed(storage)) logger.warn(whenRenumbered);
  for (const sequence of await advanceSequences(storage)) logger.warn(sequence, whenAdvanced);
}
