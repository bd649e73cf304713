import { PlatformIds, throwIfInvalid } from '../../kernel/check.ts';
import type { EventWaits } from '../../kernel/event-waits.ts';
import { decodeTypeId, firstIdAt } from '../../kernel/ids.ts';
import { byId, operation } from '../../kernel/operation.ts';
import { pageLimits, readPage } from '../../kernel/page.ts';
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
  feedWaitSecondsMax,
  type InstalledApp,
  readSince,
  requireEventTypes,
} from './event-query.ts';
import { readFeedPage } from './feed/read-feed-page.ts';
import { eventList, isEventSearch, isNewestFirst, searchEvents } from './search-events.ts';

/** The columns of events: the last one has what has changed. */
const eventColumns = ['timestamp', 'type', 'actor', 'appId', 'data'];

const eventQuestions = `Common questions:
  Who set or removed a URL at a malicious host, in any app?
  $ app-registry event list --field oauthInfo.callbackUrl --contains evil.example
  Who changed the callback URL of an app, when, and what were the old and new values?
  $ app-registry event list --app app_01jq3v9y6ae0xv5m6b7k8c9d0e --field oauthInfo.callbackUrl
  What was changed with a token, and in which workspaces are those apps installed?
  $ app-registry event list --actor token_01jq3w4m2je6vs9a1w7p3n0d5e --workspaces
  Which apps and workspaces were changed with a token, in summary?
  $ app-registry token list-changes token_01jq3w4m2je6vs9a1w7p3n0d5e

With --field, --contains, --type, --effective-only or --about, the command reads events until it finds --limit
changes or reaches the last event, which can take minutes for millions of events. It then shows how far it got, how to
continue, and which events are in archive files.
`;

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
  summary: 'List events',
  description:
    'Lists who changed what, when and by which request: the events that match every filter, including those of deleted objects. With `field`, `contains`, `type`, `effectiveOnly` or `about`, each page searches a bounded number of them, without `prevCursor`: follow `nextCursor` until there is none, even if a page has no items. `workspaces` adds where the apps of this page are installed, `actors` the names of its actors.',
  scope: 'read',
  query: EventQuery,
  response: EventPage,
  command: {
    name: 'event list',
    description:
      'List changes, oldest first by default: who, when, and the values before and after. Includes deleted objects.',
    options: {
      appId: '--app <id> only changes of this app and its installations',
      actor:
        '<actor> only changes by this actor, exactly as events show it: a token id, command-line:NAME, an oidc: subject or maintenance',
      requestId: '--request <id> only changes by the request with this X-Request-Id',
      field: '<field> search for changes of this content field',
      contains:
        '<text> search for changes that set or removed a value containing this text, regardless of case, in --field or in any content field',
      type: '<types...> search for changes of these types',
      effectiveOnly: 'search for changes of what a platform may act on (those with "effective")',
      about:
        '<id> search for changes that concern or mention the object with this id: a developer, a workspace, a token …',
      since: '<time> only changes since a UTC time such as 2026-03-01T09:30:00Z, or after the event with this id',
      until: '<time> only changes before a UTC time such as 2026-03-01T09:30:00.000Z',
      workspaces: 'also list the workspaces where these apps are installed: for each app, the count and the first 100',
      actors: 'also list the names of the actors',
    },
    columns: eventColumns,
    notes: eventQuestions,
    examples: ['app-registry event list --app app_01jq3v9y6ae0xv5m6b7k8c9d0e --sort -id'],
  },
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
 * unfinished transaction can store an earlier one (decision record 0017).
 */
const readEventFeed = operation({
  id: 'readEventFeed',
  method: 'GET',
  path: `${path}/feed`,
  summary: 'Read the next events (long polling)',
  description:
    'For programs that follow all changes. Continuing from `nextCursor` misses no event, and the events of one app are in the order of its changes. Pages have no `prevCursor`. With `wait`, the request returns with the next event, or with none after that time.',
  scope: 'read',
  query: EventFeedQuery,
  response: EventFeedPage,
  refusals: ['cursor_expired'],
  command: {
    name: 'event read-feed',
    description:
      'Read the next events. Continuing from nextCursor misses no event, not even of slow transactions. To search the history by app, actor, request or text, use "event list".',
    options: {
      cursor: '<cursor> the nextCursor of the previous call',
      since:
        '<time> without a cursor: only events since a UTC time such as 2026-03-01T09:30:00Z, or "now" for new ones',
      wait: `<seconds> wait up to this long for an event, at most ${feedWaitSecondsMax} seconds`,
      type: '<types...> only events of these types',
      effectiveOnly: 'only events that change what a platform may act on (those with "effective")',
      appId: '--app <id> only events of this app and its installations',
      limit: `<number> the maximum number of items, up to ${pageLimits.max} (default: ${pageLimits.default})`,
    },
    columns: eventColumns,
    examples: ['app-registry event read-feed --since now --wait 30 --json'],
  },
  async run({ registry, query: { wait = 0, ...query }, waits, disconnected, reauthorize }) {
    if (wait === 0) return (await readFeedPage(registry, query)).page;
    if (!waits) throw new Error('a wait for events needs their sources');
    const release = waits.longPolls.acquire();
    try {
      const until = performance.now() + wait * 1_000;
      const page = await nextPage(registry, query, { ...waits, until, signal: disconnected() });
      // The token may have been revoked or expired meanwhile.
      await reauthorize();
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
  command: { name: 'event read-feed' },
  async run({ query, lastEventId, waits, disconnected, reauthorize }) {
    if (!waits?.eventStreams) throw new Error('only a server streams events');
    const release = waits.longPolls.acquire();
    const signal = disconnected();
    if (signal.aborted) release();
    else signal.addEventListener('abort', release);
    const first = await waits.eventStreams.begin(lastEventId === undefined ? query : { cursor: lastEventId });
    return waits.eventStreams.follow(first, { signal, reauthorize });
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
    ...eventList(query, filter),
    async read(request) {
      const page = await listEventPage(registry.storage.reader, filter, {
        ...request,
        newestFirst: isNewestFirst(query),
      });
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

function readFilter({ appId, actor, requestId, since, until, about, type = [] }: EventQuery): EventFilter {
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
  requireEventTypes(type, ids.errors);
  if (about !== undefined && !decodeTypeId(about)) ids.errors.push(notAnId);
  throwIfInvalid(ids.errors);
  return filter;
}

const notAnId: ValidationError = {
  pointer: '/about',
  code: 'invalid_format',
  detail: 'The value must be a TypeID, such as user_01jq3v8nbtf4mrk6d2m3wz5x7c.',
};

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
  for (let from = query; ; ) {
    const { page, end, isAtEnd } = await readFeedPage(registry, from);
    const ms = until - performance.now();
    if (page.items.length > 0 || ms <= 0 || signal.aborted || newEvents.isStopped) return page;
    if (isAtEnd) await newEvents.wait(end, { ms, signal });
    from = { ...query, cursor: page.nextCursor };
  }
}
