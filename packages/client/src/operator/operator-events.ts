import type { ApiPromise } from '../client/api-promise.ts';
import { sleep } from '../client/attempt.ts';
import { AppRegistryError } from '../client/errors.ts';
import type { RequestOptions } from '../client/options.ts';
import type { AppRegistryEvent } from '../event.ts';
import { readEventStream, type StreamedEvent } from './event-stream.ts';
import type { List, Operations } from './operations.ts';
import type { Actors, ListQuery } from './queries.ts';

/**
 * Filters for events: by one of app, actor and request, and by what changed.
 *
 * @example
 * const query: EventQuery = { appId: app.id, field: 'oauthInfo.callbackUrl', newestFirst: true };
 * const { items } = await operator.events.list(query).page();
 */
export interface EventQuery extends ListQuery {
  appId?: string | undefined;
  actor?: string | undefined;
  requestId?: string | undefined;
  /** A field of the content that changed. */
  field?: string | undefined;
  /** A text that the content contained before or after. */
  contains?: string | undefined;
  /** Types, separated by commas. */
  types?: string | undefined;
  /** Only changes of what a platform may act on: those that carry `effective`. */
  effectiveOnly?: boolean | undefined;
  /** The id of an object that changed, or that the change names. */
  about?: string | undefined;
  /** A time, or the id of an event to start after. */
  since?: string | undefined;
  /** Only events before this time. */
  until?: string | undefined;
  newestFirst?: boolean | undefined;
  /** Whether the page has the names of the actors too. */
  actors?: boolean | undefined;
}

/**
 * Which events to read from the feed.
 *
 * @example
 * const query: EventFeedQuery = { after: 'now', wait: 30, types: 'app.approved,app.revoked' };
 * const { items, nextCursor } = await operator.events.readFeed(query);
 */
export interface EventFeedQuery {
  /** Where to continue: the `nextCursor` of an earlier response, a UTC time, `now`, or `start`, which is the default. */
  after?: string | undefined;
  /** How many seconds to wait if there is no event. 0 by default, at most 60. */
  wait?: number | undefined;
  /** Types, separated by commas. */
  types?: string | undefined;
  appId?: string | undefined;
  /** Only changes of what a platform may act on: those that carry `effective`. */
  effectiveOnly?: boolean | undefined;
  /** At most this many events: 20 by default, at most 100. */
  limit?: number | undefined;
}

/**
 * The next events of the feed.
 *
 * @example
 * const { items, nextCursor }: EventFeed = await operator.events.readFeed({ after: 'start' });
 * console.log(items.length, nextCursor);
 */
export interface EventFeed {
  items: AppRegistryEvent[];
  /** Where to continue. Always present, even without items. */
  nextCursor: string;
  /** Whether more events are available now. */
  hasMore: boolean;
}

/** How long a request of `follow` waits for events, in seconds. */
const followSeconds = 30;
/** The longest delay between attempts to reach an unreachable registry, after the retries of each. */
const awayMsMax = 10_000;

/**
 * What has changed, who changed it and when.
 *
 * @example
 * for await (const event of operator.events.list({ appId: app.id })) console.log(event.timestamp, event.type);
 */
export class OperatorEvents {
  readonly #operations: Operations;

  /** Created by the client. */
  constructor(operations: Operations) {
    this.#operations = operations;
  }

  list(query?: EventQuery, options?: RequestOptions): List<AppRegistryEvent, Actors> {
    return this.#operations.list(['events'], query, options);
  }

  /** The next events of the feed, without gaps and in order per app. Its `wait` is added to `timeoutMs`. */
  readFeed(query: EventFeedQuery = {}, options?: RequestOptions): ApiPromise<EventFeed> {
    const waitMs = (query.wait ?? 0) * 1_000;
    return this.#operations.send('GET', ['events', 'feed'], { query, waitMs }, options);
  }

  /**
   * Follows the feed: waits for new events, and reconnects when the registry is unreachable. Store `nextCursor` once you
   * have handled the items and continue there after a restart: an event is then handled twice at most.
   *
   * Ends when the loop is left or the signal is aborted. Throws an {@link AppRegistryError} if a retry cannot help: a
   * refused token, or a cursor that has expired because the database was restored.
   *
   * @example
   * for await (const { items, nextCursor } of operator.events.follow({ after: 'now' })) {
   *   for (const event of items) console.log(event.type, event.subjectId);
   *   console.log(nextCursor);
   * }
   */
  async *follow(
    { after, ...query }: Omit<EventFeedQuery, 'wait'> = {},
    options: RequestOptions = {},
  ): AsyncGenerator<EventFeed, void, void> {
    for (let [cursor, failures] = [after, 0]; ; ) {
      try {
        // A retried "now" would be a later one, so a cursor is needed first.
        const wait = cursor === 'now' ? 0 : followSeconds;
        const feed = await this.readFeed({ limit: 100, ...query, after: cursor, wait }, options);
        [cursor, failures] = [feed.nextCursor, 0];
        if (feed.items.length > 0) yield feed;
      } catch (error) {
        if (!AppRegistryError.is(error) || !error.isRetryable) throw error;
        failures += 1;
        await sleep(Math.min(awayMsMax, 500 * 2 ** failures) * Math.random(), options.signal);
      }
    }
  }

  /**
   * Streams summaries of changes as they happen, for user interfaces: from now on, or `after` a cursor. Ends when the
   * registry closes it, as at a shutdown, and when the loop is left. Throws an {@link AppRegistryError} if the connection is
   * lost; another stream continues after the last `cursor` without a gap. Use {@link follow} in programs that must not miss
   * an event.
   *
   * @example
   * for await (const { event, cursor } of operator.events.stream({ after: 'now' })) {
   *   console.log(event.actorName ?? event.actor, event.type, event.appId, cursor);
   * }
   */
  async *stream(
    { after }: { after?: string | undefined } = {},
    options?: RequestOptions,
  ): AsyncGenerator<StreamedEvent, void, void> {
    yield* await this.#operations.read(['events', 'stream'], { ...options, query: { after } }, readEventStream);
  }
}
