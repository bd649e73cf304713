import type { ArchivedEvents } from '../../contract/event-query.ts';
import { findArchivesSince } from '../../storage/queries/event-archives.ts';
import type { EventFilter } from '../../storage/queries/events.ts';
import { dateTime } from '../date-time.ts';
import type { Registry } from '../registry.ts';

/**
 * What a search misses because it is in files; absent when nothing is. Call it after the search, which then also reports
 * what was archived meanwhile.
 */
export async function archivedEvents(
  { storage }: Registry,
  { after = '', since = Number.MIN_SAFE_INTEGER }: Pick<EventFilter, 'after' | 'since'>,
): Promise<{ archived?: ArchivedEvents }> {
  const found = await findArchivesSince(storage.reader, { after, since });
  if (!found || found.first === null) return {};
  return {
    archived: {
      firstArchive: found.first,
      lastArchive: found.last,
      lastEventId: found.last_event_id,
      lastTimestamp: dateTime(found.last_occurred_at),
    },
  };
}
