import { sleep } from '../client/attempt.ts';
import { AppRegistryError } from '../client/errors.ts';
import type { RequestOptions } from '../client/options.ts';
import type { EventFeedPage, EventFeedQuery } from './types.ts';

/** How long a request of `follow` waits for events, in seconds. */
const followSeconds = 30;
/** The longest delay between attempts to reach an unreachable registry, after the retries of each. */
const awayMsMax = 10_000;

/**
 * Follows the feed of events.
 *
 * @example
 * const follower: EventFollower = operator.events;
 * for await (const { items } of follower.follow()) console.log(items.length);
 */
export abstract class EventFollower {
  /** Reads the next events of the feed. */
  abstract readFeed(query?: EventFeedQuery, options?: RequestOptions): PromiseLike<EventFeedPage>;

  /**
   * Follows the feed: waits for new events, and reconnects when the registry is unreachable. Store `nextCursor` once you
   * have handled the items and continue there after a restart: an event is then handled twice at most.
   *
   * Ends when the loop is left or the signal is aborted. Throws an {@link AppRegistryError} if a retry cannot help: a
   * refused token, or a cursor that has expired because the database was restored.
   *
   * @example
   * for await (const { items, nextCursor } of operator.events.follow({ since: 'now' })) {
   *   for (const event of items) console.log(event.type, event.subjectId);
   *   console.log(nextCursor);
   * }
   */
  async *follow(
    query: Omit<EventFeedQuery, 'wait'> = {},
    options: RequestOptions = {},
  ): AsyncGenerator<EventFeedPage, void, void> {
    for (let [cursor, failures] = [query.cursor, 0]; ; ) {
      try {
        // A retried "now" would be a later one, so a cursor is needed first.
        const wait = cursor === undefined && query.since === 'now' ? 0 : followSeconds;
        const feed = await this.readFeed({ limit: 100, ...query, cursor, wait }, options);
        [cursor, failures] = [feed.nextCursor, 0];
        if (feed.items.length > 0) yield feed;
      } catch (error) {
        if (!AppRegistryError.is(error) || !error.isRetryable) throw error;
        failures += 1;
        await sleep(Math.min(awayMsMax, 500 * 2 ** failures) * Math.random(), options.signal);
      }
    }
  }
}
