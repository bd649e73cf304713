import { dateTime } from '../../kernel/date-time.ts';
import { readPage } from '../../kernel/page.ts';
import type { PageOf } from '../../kernel/page-parameters.ts';
import type { Registry } from '../../kernel/registry.ts';
import type { PageOfRows, PageRequest, Position } from '../../storage/page.ts';
import type { EventRow } from '../../storage/tables.ts';
import { archivedEvents } from './archived-events.ts';
import { eventMatcher, typesToRead } from './event-matcher.ts';
import { contentEventTypes, type EventFilter, listEventPage } from './event-queries.ts';
import type { ArchivedEvents, EventQuery, Searched } from './event-query.ts';

/** What one page reads at most, so that no request works for long. `bytes` is exceeded by less than one batch. */
export const searchLimits = { events: 10_000, bytes: 4_194_304 };

/** Few, because an event may have 50 kilobytes. */
const batchMax = 200;

interface FoundEvents extends PageOf<EventRow> {
  searched: Searched;
  archived?: ArchivedEvents;
}

/**
 * A page of the events that match `field`, `contains`, `types`, `effectiveOnly` and `about`, among the events of a filter. It ends when
 * it is full or has read as much as a page may; then `nextCursor` continues after the last event that was read.
 */
export async function searchEvents(registry: Registry, query: EventQuery, filter: EventFilter): Promise<FoundEvents> {
  let searched: Searched = { events: 0 };
  const page = await readPage(query, {
    name: 'events',
    async read(request) {
      const found = await searchPage(registry, { query, filter, request });
      searched = found.searched;
      return found;
    },
    view: (row) => row,
  });
  return { ...page, searched, ...(await archivedEvents(registry, filter)) };
}

interface Search {
  query: EventQuery;
  filter: EventFilter;
  request: PageRequest;
}

/** Reads in batches, because many events are read for few matches. */
async function searchPage(
  { storage }: Registry,
  { query, filter, request: { limit, position } }: Search,
): Promise<PageOfRows<EventRow> & { searched: Searched }> {
  // After a clock was ahead, any number of older events may follow: they count as read too.
  const { since = Number.MIN_SAFE_INTEGER, ...ofList } = filter;
  const isMatch = eventMatcher(query);
  const dataOf = typesToRead(query);
  const contentOnly = dataOf?.every((type) => contentEventTypes.some((known) => known === type)) ?? false;
  const page = new SearchedPage(limit);
  let from = position;
  for (;;) {
    const batch = await listEventPage(
      storage.reader,
      { ...ofList, contentOnly },
      { limit: batchMax, position: from, newestFirst: query.newestFirst, dataOf },
    );
    for (const [index, row] of batch.rows.entries()) {
      page.add(row, row.occurred_at >= since && isMatch(row));
      const isLast = index === batch.rows.length - 1 && !batch.next;
      if (page.isFull && !isLast) return page.result(positionAfter(row, filter));
    }
    if (!batch.next) return page.result();
    from = batch.next;
    // SQLite blocks this thread: other requests run in between.
    await new Promise(setImmediate);
  }
}

/** What a page has read and found so far. */
class SearchedPage {
  readonly #limit: number;
  readonly #rows: EventRow[] = [];
  #events = 0;
  #bytes = 0;
  #last: EventRow | undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(row: EventRow, isMatch: boolean): void {
    this.#events += 1;
    this.#bytes += (row.before?.length ?? 0) + (row.after?.length ?? 0) + (row.effective?.length ?? 0);
    this.#last = row;
    if (isMatch) this.#rows.push(row);
  }

  get isFull(): boolean {
    const { events, bytes } = searchLimits;
    return this.#rows.length >= this.#limit || this.#events >= events || this.#bytes >= bytes;
  }

  result(next?: Position): PageOfRows<EventRow> & { searched: Searched } {
    return { rows: this.#rows, ...(next && { next }), searched: searchedUntil(this.#events, this.#last) };
  }
}

/** How many events were read, and the last of them. */
export function searchedUntil(events: number, last: EventRow | undefined): Searched {
  return { events, ...(last && { until: { id: last.id, timestamp: dateTime(last.occurred_at) } }) };
}

/** As the list of the filter orders its rows. */
function positionAfter({ id }: EventRow, { app_id, actor, request_id }: EventFilter): Position {
  const owner = app_id ?? actor ?? request_id;
  return { side: 'after', values: owner === undefined ? [id] : [owner, id] };
}
