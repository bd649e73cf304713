import { PlatformIds } from '../../kernel/check.ts';
import type { EventWaits } from '../../kernel/event-waits.ts';
import { throwIfInvalid } from '../../kernel/failure.ts';
import { firstIdAt } from '../../kernel/ids.ts';
import { byId, operation } from '../../kernel/operation.ts';
import { readPage } from '../../kernel/page.ts';
import type { ValidationError } from '../../kernel/problem-details.ts';
import type { Registry } from '../../kernel/registry.ts';
import { actorNames } from '../access/actor-names.ts';
import { listWorkspacesOfApps } from '../installations/installation-queries.ts';
import { requireUnarchived, requireUnarchivedSince } from './archived-events.ts';
import { EventSummary } from './event.ts';
import { type EventFilter, listEventPage } from './event-queries.ts';
import {
  EventFeedPage,
  EventFeedQuery,
  EventPage,
  EventQuery,
  EventStreamQuery,
  eventView,
  type InstalledApp,
  readEventTypes,
  readSince,
} from './event-query.ts';
import { readFeedPage } from './feed/read-feed-page.ts';
import { isEventSearch, searchEvents } from './search-events.ts';

/** How many workspaces of each app are listed. */
const workspacesMax = 100;

const path = '/operator/v1/events';

/**
 * Event ids are assigned before the commit, so on PostgreSQL the event of a slow change can appear before events of other
 * objects that were already listed.
 */
const listEvents = operation({
  id: 'listEvents',
  method: 'GET',
  path,
  summary: 'List events, oldest or newest first',
  description:
    'Lists who changed what, when and by which request: the events that match every filter, including those of deleted objects. With `field` or `contains`, each page searches a bounded part of the content changes of all apps: follow `nextCursor` until there is none, even if a page has no items. `workspaces` adds where the apps of this page are installed, `actors` the names of its actors.',
  scope: 'read',
  query: EventQuery,
  response: EventPage,
  async run({ registry, query: { workspaces, actors, ...given } }) {
    const filter = readFilter(given);
    const page = isEventSearch(given)
      ? await searchPage(registry, given, filter)
      : await plainPage(registry, given, filter);
    const appIds = new Set(page.items.flatMap(({ appId }) => appId ?? []));
    const allActors = page.items.map(({ actor }) => actor);
    return {
      ...page,
      ...(workspaces && { apps: await installedApps(registry, [...appIds]) }),
      ...(actors && { actors: await actorNames(registry, allActors) }),
    };
  },
});

/**
 * Following `nextCursor` misses no event, even on PostgreSQL, where changes commit in any order: an event appears once no
 * unfinished transaction can store an earlier one (0034).
 */
const readEventFeed = operation({
  id: 'readEventFeed',
  method: 'GET',
  path: `${path}/feed`,
  summary: 'Read the next events (long polling)',
  description:
    'For programs that follow all changes. Continuing from `nextCursor` misses no event, and the events of one app are in the order of its changes. With `wait`, the request returns with the next event, or with none after that time.',
  scope: 'read',
  query: EventFeedQuery,
  response: EventFeedPage,
  refusals: ['cursor_expired'],
  async run({ registry, query: { wait = 0, ...query }, waits, disconnected, admitAgain }) {
    if (wait === 0) return readPageNow(registry, query);
    if (!waits) throw new Error('a wait for events needs their sources');
    const release = waits.takePlace();
    try {
      const until = performance.now() + wait * 1_000;
      const page = await nextPage(registry, query, { ...waits, until, signal: disconnected() });
      // The token may have been revoked or expired meanwhile.
      await admitAgain();
      return page;
    } finally {
      release();
    }
  },
});

const streamEvents = operation({
  id: 'streamEvents',
  method: 'GET',
  path: `${path}/stream`,
  summary: 'Stream events (server-sent events)',
  description:
    'For user interfaces such as the console. Each server-sent event has a JSON summary of one change as its data and its position in the feed as its id. A broken stream resumes from `Last-Event-ID` without a gap. The stream ends when the token or session ends, and when the process shuts down.',
  scope: 'read',
  query: EventStreamQuery,
  response: EventSummary,
  streams: true,
  refusals: ['cursor_expired'],
  async run({ query, lastEventId, waits, disconnected, admitAgain }) {
    if (!waits?.eventStreams) throw new Error('only a server streams events');
    const release = waits.takePlace();
    const signal = disconnected();
    if (signal.aborted) release();
    else signal.addEventListener('abort', release);
    const after = lastEventId ?? query.after;
    const first = await waits.eventStreams.begin(after === undefined ? {} : { after });
    return waits.eventStreams.follow(first, { signal, admitAgain });
  },
});

export const eventOperations = byId(listEvents, readEventFeed, streamEvents);

/** Does not refuse if events are archived, but reports which ones are missing. */
async function searchPage(registry: Registry, query: EventQuery, filter: EventFilter): Promise<EventPage> {
  const { items, ...page } = await searchEvents(registry, query, filter);
  return { items: items.map(eventView), ...page };
}

function plainPage(registry: Registry, query: EventQuery, filter: EventFilter): Promise<EventPage> {
  return readPage(query, {
    name: 'events',
    async read(request) {
      const page = await listEventPage(registry.storage.reader, filter, { ...request, newestFirst: query.newestFirst });
      // After the events were read: they may be archived meanwhile.
      const start = request.position?.values.at(-1);
      if (start !== undefined) await requireUnarchived(registry, start, '/cursor');
      else if (filter.since !== undefined) await requireUnarchivedSince(registry, filter.since, '/since');
      else if (filter.after !== undefined) await requireUnarchived(registry, filter.after, '/since');
      return page;
    },
    view: eventView,
  });
}

function readFilter({ appId, actor, requestId, since, until, types }: EventQuery): EventFilter {
  const ids = new PlatformIds();
  const filter: EventFilter = {
    ...(appId !== undefined && { app_id: ids.read(appId, 'app', '/appId') }),
    ...(actor !== undefined && { actor }),
    ...(requestId !== undefined && { request_id: requestId }),
    ...(since !== undefined && readSince(since, ids.errors)),
    ...(until !== undefined && { before: firstIdAt('event', Date.parse(until)) }),
  };
  const [, ...others] = Object.entries({ appId, actor, requestId }).filter(([, value]) => value !== undefined);
  ids.errors.push(...others.map(([name]) => notCombinable(name)));
  if (types !== undefined) readEventTypes(types, ids.errors);
  throwIfInvalid(ids.errors);
  return filter;
}

function notCombinable(name: string): ValidationError {
  return {
    pointer: `/${name}`,
    code: 'not_allowed',
    detail: 'Filter by only one of app, actor and request.',
  };
}

/** The number of installations of each of these apps, and the first 100 workspaces. */
async function installedApps({ storage }: Registry, appIds: string[]): Promise<InstalledApp[]> {
  if (appIds.length === 0) return [];
  const rows = await listWorkspacesOfApps(storage.reader, { appIds, limit: workspacesMax });
  const rowsOfApps = Map.groupBy(rows, ({ app_id }) => app_id);
  return appIds.map((appId) => {
    const found = rowsOfApps.get(appId) ?? [];
    return {
      appId,
      installationCount: found[0]?.installation_count ?? 0,
      workspaceIds: found.flatMap(({ workspace_id }) => workspace_id ?? []),
    };
  });
}

interface FeedWait {
  newEvents: EventWaits['newEvents'];
  /** By `performance.now()`. */
  until: number;
  /** Ends the wait: the reader has gone. */
  signal: AbortSignal;
}

/** A page with events as soon as there is one. */
async function nextPage(
  registry: Registry,
  query: Omit<EventFeedQuery, 'wait'>,
  { newEvents, until, signal }: FeedWait,
): Promise<EventFeedPage> {
  for (let after = query.after; ; ) {
    const { end, places, ...page } = await readFeedPage(registry, { ...query, ...(after !== undefined && { after }) });
    const ms = until - performance.now();
    if (page.items.length > 0 || ms <= 0 || signal.aborted || newEvents.isStopped) return page;
    if (!page.hasMore) await newEvents.wait(end, { ms, signal });
    after = page.nextCursor;
  }
}

async function readPageNow(registry: Registry, query: Omit<EventFeedQuery, 'wait'>): Promise<EventFeedPage> {
  const { end, places, ...page } = await readFeedPage(registry, query);
  return page;
}
