import { throwIfInvalid } from '../../kernel/check.ts';
import { firstIdAt } from '../../kernel/ids.ts';
import type { Registry } from '../../kernel/registry.ts';
import { dateTime } from '../../kernel/text.ts';
import { findArchivesSince, findLastEventArchive } from './archive/event-archive-queries.ts';
import { type EventFilter, findFirstEvent } from './event-queries.ts';
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

/** Refuses a time since which events are archived. Its first id may be before archived ones, after a clock was ahead. */
export async function requireUnarchivedSince(registry: Registry, time: number, pointer: string): Promise<void> {
  const first = await findFirstEvent(registry.storage.reader, {});
  if (first === null || first.occurred_at > time) await requireUnarchived(registry, firstIdAt('event', time), pointer);
}

/** Refuses to list from an event whose next ones are archived: the list would have a gap that no one sees. */
export async function requireUnarchived({ storage }: Registry, start: string, pointer: string): Promise<void> {
  const last = await findLastEventArchive(storage.reader, {});
  if (!last || start >= last.last_event_id) return;
  const detail = `The events up to ${last.last_event_id}, of ${dateTime(last.last_occurred_at)}, are archived in files. Start after that event, or read the files.`;
  throwIfInvalid([{ pointer, code: 'not_allowed', detail }]);
}
