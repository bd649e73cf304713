import { check } from '../../kernel/check.ts';
import { dateTime } from '../../kernel/date-time.ts';
import { requireValid, throwIfInvalid } from '../../kernel/failure.ts';
import { readPage } from '../../kernel/page.ts';
import { PlatformIds } from '../../kernel/platform-id.ts';
import type { ValidationError } from '../../kernel/problem-details.ts';
import type { Registry } from '../../kernel/registry.ts';
import { DateTime } from '../../kernel/text.ts';
import { firstIdAt, isTypeId } from '../../kernel/type-id.ts';
import type { EventRow } from '../../storage/tables.ts';
import { actorNames } from '../access/actor-names.ts';
import { listWorkspacesOfApps } from '../installations/installation-queries.ts';
import { effectiveIn } from './append-event.ts';
import { findLastEventArchive } from './archive/event-archive-queries.ts';
import type { Event } from './event.ts';
import { isEventSearch } from './event-matcher.ts';
import { type EventFilter, findFirstEvent, listEventPage } from './event-queries.ts';
import { type EventPage, EventQuery, type InstalledApp } from './event-query.ts';
import { readEventTypes } from './event-types.ts';
import { searchEvents } from './search-events.ts';

/** How many workspaces of each app are listed. */
const workspacesMax = 100;

/**
 * A page of all events, or of those of an app (even a deleted one), an actor or a request, oldest first unless
 * `newestFirst`. With `field`, `contains`, `types`, `effectiveOnly` or `about`, a page of a search among them. With `workspaces`, includes where the apps of
 * the page are installed, with `actors` the names of its actors. Event ids are assigned before the commit, so on PostgreSQL the event of a slow change can
 * appear before events of other objects that were already listed. Refuses with `invalid_content`.
 */
export async function listEvents(registry: Registry, input: unknown): Promise<EventPage> {
  const { workspaces, actors, ...given } = requireValid(EventQuery, input);
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
}

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

/** An id is never older than its event, but may be younger, after a clock was ahead. */
export function readSince(since: string, errors: ValidationError[]): Pick<EventFilter, 'after' | 'since'> {
  if (check(DateTime, since) === null) {
    const time = Date.parse(since);
    return { after: firstIdAt('event', time), since: time };
  }
  if (!isTypeId(since, 'event')) errors.push(notSince);
  return { after: since };
}

/** Refuses a time since which events are archived. Its first id may be before archived ones, after a clock was ahead. */
export async function requireUnarchivedSince(registry: Registry, time: number, pointer: string): Promise<void> {
  const first = await findFirstEvent(registry.storage.reader, {});
  if (first === null || first.occurred_at > time) await requireUnarchived(registry, firstIdAt('event', time), pointer);
}

/** Refuses to list from an event whose next ones are archived: the list would have a gap that no one sees. */
async function requireUnarchived({ storage }: Registry, start: string, pointer: string): Promise<void> {
  const last = await findLastEventArchive(storage.reader, {});
  if (!last || start >= last.last_event_id) return;
  const detail = `The events up to ${last.last_event_id}, of ${dateTime(last.last_occurred_at)}, are archived in files. Start after that event, or read the files.`;
  throwIfInvalid([{ pointer, code: 'not_allowed', detail }]);
}

function notCombinable(name: string): ValidationError {
  return {
    pointer: `/${name}`,
    code: 'not_allowed',
    detail: 'Filter by only one of app, actor and request.',
  };
}

const notSince: ValidationError = {
  pointer: '/since',
  code: 'invalid_format',
  detail: 'The value must be a UTC time such as 2026-03-01T09:30:00.000Z, or the id of an event.',
};

/** An event as listed and as delivered to webhooks. */
export function eventView(event: EventRow): Event {
  const view = {
    id: event.id,
    type: event.type,
    timestamp: dateTime(event.occurred_at),
    actor: event.actor,
    ...(event.request_id !== null && { requestId: event.request_id }),
    ...(event.traceparent !== null && { traceparent: event.traceparent }),
    ...(event.reason !== null && { reason: event.reason }),
    ...(event.app_id !== null && { appId: event.app_id }),
    subjectId: event.subject_id,
    data: dataOf(event),
  };
  return view as Event;
}

function dataOf(event: EventRow): object {
  const { before, after, details } = event;
  const effective = effectiveIn(event);
  return {
    ...(before !== null && { before: JSON.parse(before) }),
    ...(after !== null && { after: JSON.parse(after) }),
    ...(details !== null && JSON.parse(details)),
    ...(effective !== undefined && { effective }),
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
