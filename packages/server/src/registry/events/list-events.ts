import { check } from '../../contract/check.ts';
import type { Event } from '../../contract/event.ts';
import { type EventPage, EventQuery } from '../../contract/event-query.ts';
import type { ValidationError } from '../../contract/problem.ts';
import { DateTime } from '../../contract/text.ts';
import { type EventFilter, listEventPage } from '../../storage/queries/events.ts';
import type { EventRow } from '../../storage/tables.ts';
import { dateTime } from '../date-time.ts';
import { throwIfInvalid } from '../failure.ts';
import { listInstalledApps } from '../installations/list-installed-apps.ts';
import { readPage } from '../page.ts';
import { PlatformIds } from '../platform-id.ts';
import type { Registry } from '../registry.ts';
import { firstIdAt, isTypeId } from '../type-id.ts';

/**
 * A page of all events, or of those of an app, an actor or a request, oldest first unless `newestFirst`; of an app
 * also when it was deleted. With `workspaces` the answer tells where the apps of this page are installed. Ids are made
 * before the commit, so on PostgreSQL the event of a slow change can come to stand before events that were listed
 * already. Refuses with `invalid_content`.
 */
export async function listEvents(registry: Registry, input: unknown): Promise<EventPage> {
  throwIfInvalid(check(EventQuery, input));
  const given = input as EventQuery;
  const filter = readFilter(given);
  const page = await readPage(given, {
    read: (request) => listEventPage(registry.storage.reader, filter, { ...request, newestFirst: given.newestFirst }),
    view: eventView,
  });
  if (!given.workspaces) return page;
  const appIds = page.items.flatMap(({ appId }) => appId ?? []);
  return { ...page, apps: await listInstalledApps(registry, [...new Set(appIds)]) };
}

function readFilter({ appId, actor, requestId, field, since }: EventQuery): EventFilter {
  const ids = new PlatformIds();
  const filter: EventFilter = {
    ...(appId !== undefined && { app_id: ids.read(appId, 'app', '/appId') }),
    ...(actor !== undefined && { actor }),
    ...(requestId !== undefined && { request_id: requestId }),
    ...(field !== undefined && { field: field.split('.').at(-1) }),
    ...(since !== undefined && { after: readSince(since, ids.faults) }),
  };
  if (field !== undefined && appId === undefined) ids.faults.push(aloneField);
  const [, ...others] = Object.entries({ appId, actor, requestId }).filter(([, value]) => value !== undefined);
  ids.faults.push(...others.map(([name]) => notAlone(name)));
  throwIfInvalid(ids.faults);
  return filter;
}

/** The id after which those begin that were recorded since then. */
function readSince(since: string, faults: ValidationError[]): string {
  if (check(DateTime, since) === null) return firstIdAt('event', Date.parse(since));
  if (!isTypeId(since, 'event')) faults.push(notSince);
  return since;
}

const aloneField: ValidationError = {
  pointer: '/field',
  code: 'not_allowed',
  detail: 'Name the app too, among whose changes to look.',
};

function notAlone(name: string): ValidationError {
  return {
    pointer: `/${name}`,
    code: 'not_allowed',
    detail: 'Ask for the events of an app, of an actor or of a request: one of them.',
  };
}

const notSince: ValidationError = {
  pointer: '/since',
  code: 'invalid_format',
  detail: 'The value must be a UTC time such as 2026-03-01T09:30:00.000Z, or the id of an event.',
};

/** An event as it is told, to who reads the trail and to webhooks. */
export function eventView(event: EventRow): Event {
  const view = {
    id: event.id,
    type: event.type,
    timestamp: dateTime(event.occurred_at),
    actor: event.actor,
    ...(event.request_id !== null && { requestId: event.request_id }),
    ...(event.app_id !== null && { appId: event.app_id }),
    subjectId: event.subject_id,
    data: dataOf(event),
  };
  return view as Event;
}

function dataOf({ type, before, after, details }: EventRow): object {
  // As programs before schema version 3 tell the names of what has changed.
  if (type === 'developer.updated' && after !== null) return JSON.parse(after);
  return {
    ...(before !== null && { before: JSON.parse(before) }),
    ...(after !== null && { after: JSON.parse(after) }),
    ...(details !== null && JSON.parse(details)),
  };
}
