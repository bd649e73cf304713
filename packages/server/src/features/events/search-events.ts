import { type PageOf, readPage } from '../../kernel/page.ts';
import type { Registry } from '../../kernel/registry.ts';
import { dateTime } from '../../kernel/text.ts';
import type { PageOfRows, PageRequest, Position } from '../../storage/row-pages.ts';
import type { EventRow } from '../../storage/tables.ts';
import { appContentFields, type ContentPath, contentValue } from '../apps/app-content.ts';
import { archivedEvents } from './archived-events.ts';
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
 * A page of the events that match `field`, `contains`, `type`, `effectiveOnly` and `about`, among the events of a filter. It ends when
 * it is full or has read as much as a page may; then `nextCursor` continues after the last event that was read.
 */
export async function searchEvents(registry: Registry, query: EventQuery, filter: EventFilter): Promise<FoundEvents> {
  let searched: Searched = { events: 0 };
  const page = await readPage(query, {
    ...eventList(query, filter),
    async read(request) {
      const found = await searchPage(registry, { query, filter, request });
      searched = found.searched;
      return found;
    },
    view: (row) => row,
  });
  return { ...page, searched, ...(await archivedEvents(registry, filter)) };
}

/** Names the list that a query is about, for its cursors. */
export function eventList({ effectiveOnly, contains }: EventQuery, { app_id: appId }: EventFilter) {
  const filters = {
    appId,
    effectiveOnly: effectiveOnly || undefined,
    contains: contains === undefined ? undefined : fold(contains),
  };
  return { name: 'events', byDefault: 'id', filters };
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
  const rows: EventRow[] = [];
  let [events, bytes] = [0, 0];
  let last: EventRow | undefined;
  for (let from = position; ; ) {
    const batch = await listEventPage(
      storage.reader,
      { ...ofList, contentOnly },
      { limit: batchMax, position: from, newestFirst: isNewestFirst(query), dataOf },
    );
    for (const row of batch.rows) {
      events += 1;
      bytes += (row.before?.length ?? 0) + (row.after?.length ?? 0) + (row.effective?.length ?? 0);
      last = row;
      if (row.occurred_at >= since && isMatch(row)) rows.push(row);
      const isFull = rows.length >= limit || events >= searchLimits.events || bytes >= searchLimits.bytes;
      const isEnd = row === batch.rows.at(-1) && !batch.next;
      if (isFull && !isEnd) return { rows, next: positionAfter(row, filter), searched: searchedUntil(events, row) };
    }
    if (!batch.next) return { rows, searched: searchedUntil(events, last) };
    from = batch.next;
    // SQLite blocks this thread: other requests run in between.
    await new Promise(setImmediate);
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

/** The criteria of a search among the events of a list. */
type Criteria = Pick<EventQuery, 'field' | 'contains' | 'type' | 'effectiveOnly' | 'about'>;

export function isNewestFirst({ sort }: Pick<EventQuery, 'sort'>): boolean {
  return sort === '-id';
}

/** Whether events are searched instead of listed. */
export function isEventSearch({ type, effectiveOnly, about, ...content }: Criteria): boolean {
  return isContentSearch(content) || type !== undefined || effectiveOnly === true || about !== undefined;
}

/** Whether an event has one of the types, carries `effective`, names the object and changes the content, as far as those are given. */
function eventMatcher({ type: types, effectiveOnly, about, ...content }: Criteria): (event: EventRow) => boolean {
  const conditions = [
    ...(types ? [({ type }: EventRow) => types.includes(type)] : []),
    ...(effectiveOnly ? [({ effective }: EventRow) => effective !== null] : []),
    ...(about === undefined ? [] : [nameMatcher(about)]),
    ...(isContentSearch(content) ? [contentChangeMatcher(content)] : []),
  ];
  return (event) => conditions.every((matches) => matches(event));
}

/** The types of events of which a search reads the data; undefined for all. */
function typesToRead({ type, about, ...content }: Criteria): readonly string[] | undefined {
  return isContentSearch(content) ? contentEventTypes : type;
}

/** Ids have no characters that JSON escapes. */
function nameMatcher(id: string): (event: EventRow) => boolean {
  const inJson = JSON.stringify(id);
  return ({ subject_id: subject, app_id: app, before, after, details, effective }) =>
    subject === id || app === id || [before, after, details, effective].some((data) => data?.includes(inJson));
}

/** A field and a text, at least one of which is given. */
interface ContentSearch {
  field?: ContentPath | undefined;
  contains?: string | undefined;
}

/** Whether a query is about the content of apps. */
function isContentSearch({ field, contains }: ContentSearch): boolean {
  return field !== undefined || contains !== undefined;
}

/**
 * Whether an event changed a field (any field, if none is given) from or to a value that contains the text, regardless
 * of case.
 */
function contentChangeMatcher({ field, contains }: ContentSearch): (event: EventRow) => boolean {
  const fields = appContentFields.filter(({ path }) => field === undefined || path === field);
  const wanted = contains === undefined ? undefined : fold(contains);
  const trace = traceInJson({ field, contains });
  return ({ before, after }) => {
    // Most events are dismissed without parsing them.
    if (!hasTrace(before, trace) && !hasTrace(after, trace)) return false;
    const [was, is] = [before, after].map((text) => JSON.parse(text ?? '{}'));
    return fields.some((one) => isChange([contentValue(was, one), contentValue(is, one)], wanted));
  };
}

/** A text that the JSON of every event that matches contains, folded. */
function traceInJson({ field, contains }: ContentSearch): string {
  if (contains !== undefined) return fold(JSON.stringify(contains).slice(1, -1));
  return fold(`"${field?.split('.').at(-1)}":`);
}

function hasTrace(text: string | null, trace: string): boolean {
  return text !== null && fold(text).includes(trace);
}

/** A value is undefined where the event does not name the field, such as before a creation, which sets every field. */
function isChange(values: [was: Value, is: Value], wanted: string | undefined): boolean {
  if (values[0] === values[1]) return false;
  return wanted === undefined || values.some((value) => typeof value === 'string' && fold(value).includes(wanted));
}

type Value = ReturnType<typeof contentValue>;

/** Upper case, because the lower case of a sigma depends on its neighbours: a part of a text must be found in it. */
function fold(text: string): string {
  return text.toUpperCase();
}
