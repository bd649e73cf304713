import { requireValid } from '../../../kernel/check.ts';
import type { StreamedPage, StreamReader } from '../../../kernel/event-waits.ts';
import { pageLimits } from '../../../kernel/page.ts';
import type { Registry } from '../../../kernel/registry.ts';
import { namesOfActors } from '../../access/actor-names.ts';
import type { EventSummary } from '../event.ts';
import { EventStreamQuery } from '../event-query.ts';
import type { NewEvents } from './new-events.ts';
import { feedCursor, readFeedPage } from './read-feed-page.ts';

/** While events keep arriving, all streams share one read per this interval. */
const pauseMs = 100;

/** The means by which a process waits for events. */
export interface EventSources {
  newEvents: NewEvents;
  /** A command has none: it reads the feed. */
  eventStreams?: EventStreams;
}

type Page = StreamedPage<EventSummary>;

interface EventStreamsOptions {
  newEvents: NewEvents;
  /** Maximum time without a page. */
  heartbeatMs: number;
}

/**
 * The event streams of a process. They read the feed, so none has a gap (decision record 0017). Each stream remembers
 * only its position, so a slow reader holds nothing in memory, and streams at the same position share each query.
 */
export class EventStreams {
  readonly #registry: Registry;
  readonly #options: EventStreamsOptions;
  readonly #reads = new Map<string, Promise<Page>>();
  #pause: Promise<void> | undefined;
  #open = 0;

  constructor(registry: Registry, options: EventStreamsOptions) {
    this.#registry = registry;
    this.#options = options;
  }

  /** How many are open. */
  get open(): number {
    return this.#open;
  }

  /** The first page of a stream. Refuses with `invalid_content`, and with `cursor_expired` as the feed does. */
  async begin(input: unknown): Promise<Page> {
    const { cursor, since = 'now' } = requireValid(EventStreamQuery, input);
    return this.#read(cursor === undefined ? { since } : { cursor });
  }

  /** This page and the following ones, until the reader disconnects or loses access, or until all waits are ended. */
  async *follow(first: Page, { signal, reauthorize }: StreamReader): AsyncGenerator<Page, void, void> {
    const { newEvents, heartbeatMs: ms } = this.#options;
    this.#open += 1;
    try {
      for (let page = first; ; ) {
        yield page;
        if (page.isAtEnd) {
          await this.#untilNextRead();
          await newEvents.wait(page.end, { ms, signal });
        }
        if (signal.aborted || newEvents.isStopped) return;
        page = await this.#read({ cursor: page.nextCursor });
        // Last: the token may have been revoked or have expired before what was read.
        await reauthorize();
      }
    } finally {
      this.#open -= 1;
    }
  }

  /** Streams that wait for the same page share it. */
  #read(start: EventStreamQuery): Promise<Page> {
    const key = JSON.stringify(start);
    const shared = this.#reads.get(key) ?? this.#readPage(start).finally(() => this.#reads.delete(key));
    this.#reads.set(key, shared);
    return shared;
  }

  async #readPage(start: EventStreamQuery): Promise<Page> {
    const registry = this.#registry;
    const { page, places, end, isAtEnd } = await readFeedPage(registry, { ...start, limit: pageLimits.max });
    const names = await namesOfActors(
      registry,
      page.items.map(({ actor }) => actor),
    );
    const cursors = new Map(places.map((place) => [place.id, feedCursor(registry, place)]));
    const items = page.items.map(({ data: _, reason: __, ...event }) => {
      const actorName = names.get(event.actor);
      const summary = { ...event, ...(actorName !== undefined && { actorName }) };
      return { event: summary, cursor: cursors.get(event.id) ?? page.nextCursor };
    });
    return { ...page, items, end, isAtEnd };
  }

  /** Aligns the reads of streams, so that those at the same position share one. */
  #untilNextRead(): Promise<void> {
    this.#pause ??= new Promise((resolve) => {
      setTimeout(() => {
        this.#pause = undefined;
        resolve();
      }, pauseMs);
    });
    return this.#pause;
  }
}
