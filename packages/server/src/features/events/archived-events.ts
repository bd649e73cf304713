import { dateTime } from '../../kernel/date-time.ts';
import type { Registry } from '../../kernel/registry.ts';
import { findArchivesSince } from './archive/event-archive-queries.ts';
import type { EventFilter } from './event-queries.ts';
import type { ArchivedEvents } from './event-query.ts';

/**
 * The events that a search misses because they are archived in files; absent when there are none. Call it after the
 * search, so that events archived meanwhile are included.
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
