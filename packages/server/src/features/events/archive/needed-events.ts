import { dateTime } from '../../../kernel/date-time.ts';
import type { Registry } from '../../../kernel/registry.ts';
import { firstIdAt } from '../../../kernel/type-id.ts';
import { findNewestEvent } from '../event-queries.ts';
import { findFirstFedFrom, findFirstIdFedAfter } from '../feed/event-feed-queries.ts';
import { findFirstDeliveredEvent, findFirstEventSince, findFirstUndecidedEvent } from './event-archive-queries.ts';

/** Younger events are not archived: a retry of their request may still need them for its response. */
const ageMsMin = 86_400_000;

/** Where archiving stops. */
export interface ArchiveStop {
  /** The first event that stays; empty when there is no event. */
  eventId: string;
  reason: 'time_given' | 'too_young' | 'delivery' | 'undecided_change';
  /** Advice for the operator. */
  detail: string;
}

/**
 * The first event that must stay in the database. An event counts as old only when both the clock and the newest event
 * are a day later, so that a wrong clock does not archive recent events. Hence the newest event always stays, and the
 * id of the next one continues from it (0022).
 */
export async function findArchiveStop({ storage, now }: Registry, before: number): Promise<ArchiveStop> {
  const { reader } = storage;
  const newest = await findNewestEvent(reader, {});
  const youngest = Math.min(now(), newest?.occurred_at ?? 0) - ageMsMin;
  const time = Math.min(before, youngest);
  const first = await findFirstEventSince(reader, { firstId: firstIdAt('event', time), time, now: now() });
  const byTime: ArchiveStop = {
    eventId: first?.id ?? '',
    ...(before <= youngest
      ? { reason: 'time_given', detail: `Events since ${dateTime(before)} are not archived.` }
      : { reason: 'too_young', detail: 'Events of the last 24 hours are not archived.' }),
  };
  const delivered = await findFirstDeliveredEvent(reader, {});
  const undecided = await findFirstUndecidedEvent(reader, {});
  const stops: ArchiveStop[] = [byTime];
  if (delivered) {
    stops.push({
      eventId: delivered.event_id,
      reason: 'delivery',
      detail: `A delivery of the event ${delivered.event_id} is pending or retained. Finished ones are deleted after DELIVERIES_KEPT_DAYS.`,
    });
  }
  if (undecided) {
    stops.push({
      eventId: undecided.event_id,
      reason: 'undecided_change',
      detail: `The app ${undecided.app_id} has an undecided change, which begins with the event ${undecided.event_id} or later. Review the app.`,
    });
  }
  const stop = stops.reduce((first, stop) => (stop.eventId < first.eventId ? stop : first));
  return { ...stop, eventId: await withoutGapInFeed(storage, stop.eventId) };
}

/**
 * Concurrent changes can be ordered differently in the feed than by their ids. Archived events must come first in both
 * orders, so that a reader that continues from a retained event has missed none.
 */
async function withoutGapInFeed(storage: Registry['storage'], stopId: string): Promise<string> {
  if (storage.feedOrder.horizon === null) return stopId;
  for (let eventId = stopId; ; ) {
    const place = await findFirstFedFrom(storage, eventId);
    const earlier = place && (await findFirstIdFedAfter(storage, { place, before: eventId }));
    if (!earlier) return eventId;
    eventId = earlier;
  }
}
