import type { Registry } from '../../../kernel/registry.ts';
import type { EventArchiveRow } from '../../../storage/tables.ts';
import { listExistingEvents } from '../event-queries.ts';
import { putFirstInFeed } from '../feed/event-feed-queries.ts';
import { concurrent, eventsAfter } from './archive-events.ts';
import { type ArchiveFile, verifyArchive } from './archive-file.ts';
import { ArchiveRefused } from './archive-refused.ts';
import { deleteEventArchive, findLastEventArchive, updateEventArchive } from './event-archive-queries.ts';

interface RestoreInput {
  file: ArchiveFile;
  /** Receives the progress, from 0 to 1. */
  onProgress?: (part: number) => void;
}

/**
 * Restores the events of the last archive under their ids. Repeated, it continues where it was interrupted and restores
 * no event twice. Afterwards the previous archive is the last one. Refuses with `ArchiveRefused`.
 */
export async function restoreArchivedEvents(registry: Registry, input: RestoreInput): Promise<{ restored: number }> {
  const { file } = input;
  const { number, id, last_event_id: eventId } = await verifyArchive(file);
  const last = await findLastEventArchive(registry.storage.reader, {});
  if (last?.id !== id) {
    if ((await listExistingEvents(registry.storage.reader, [eventId])).length > 0) return { restored: 0 };
    throw new ArchiveRefused(
      `The file ${file.name} is archive ${number}, but the last one of this registry is ${last?.number ?? 'none'}. Nothing was changed. Restore the last one first.`,
    );
  }
  return { restored: await restoreLast(registry, input, last) };
}

async function restoreLast({ storage }: Registry, { file, onProgress }: RestoreInput, last: EventArchiveRow) {
  const { number, events } = last;
  const { feedOrder } = storage;
  let before: Pick<EventArchiveRow, 'state' | 'moved'> = last;
  let moved = last.state === 'restoring' ? last.moved : 0;
  let restored = 0;
  for await (const rows of eventsAfter(file, moved)) {
    moved += rows.length;
    restored += await storage.write(async (transaction) => {
      if ((await updateEventArchive(transaction, { number, state: 'restoring', moved, before })) === 0) {
        throw concurrent();
      }
      const existing = new Set((await transaction.insertNew('events', rows)).map(({ id }) => id));
      const ids = rows.flatMap(({ id }) => (existing.has(id) ? [] : id));
      await putFirstInFeed(transaction, { feedOrder, ids });
      return ids.length;
    });
    before = { state: 'restoring', moved };
    onProgress?.(moved / events);
  }
  await storage.write((transaction) => deleteEventArchive(transaction, { number }));
  return restored;
}
