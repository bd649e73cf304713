import { requireValid } from '../../../kernel/failure.ts';
import type { Registry } from '../../../kernel/registry.ts';
import { type EventFeedPage, EventFeedQuery } from '../event-query.ts';
import type { NewEvents } from './new-events.ts';
import { readFeedPage } from './read-feed-page.ts';

interface FeedReader {
  newEvents: NewEvents;
  /** Ends the wait: the reader has gone. */
  signal: AbortSignal;
}

/**
 * The next events after a place in the feed; with `wait`, as soon as there is one. Following `nextCursor` misses no
 * event, even on PostgreSQL, where changes commit in any order: an event appears once no unfinished transaction can
 * store an earlier one (0034). The events of one app have the order of its changes. Refuses with `invalid_content`, and
 * with `cursor_expired` where events after the cursor could be missing.
 */
export async function readEventFeed(
  registry: Registry,
  input: unknown,
  { newEvents, signal }: FeedReader,
): Promise<EventFeedPage> {
  const { wait = 0, ...query } = requireValid(EventFeedQuery, input);
  const until = performance.now() + wait * 1_000;
  for (let after = query.after; ; ) {
    const { end, places, ...page } = await readFeedPage(registry, { ...query, ...(after !== undefined && { after }) });
    const ms = until - performance.now();
    if (page.items.length > 0 || ms <= 0 || signal.aborted || newEvents.isStopped) return page;
    if (!page.hasMore) await newEvents.wait(end, { ms, signal });
    after = page.nextCursor;
  }
}
