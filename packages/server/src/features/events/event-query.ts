import Type from 'typebox';
import { check } from '../../kernel/check.ts';
import { AppId, EventId, firstIdAt, isTypeId, WorkspaceId } from '../../kernel/ids.ts';
import { Cursor, orderParameter, pageOf, pageParameters, repeated, sortParameter } from '../../kernel/page.ts';
import type { ValidationError } from '../../kernel/problem-details.ts';
import { DateTime, dateTime } from '../../kernel/text.ts';
import type { EventRow } from '../../storage/tables.ts';
import { appContentFields, type ContentPath } from '../apps/app-content.ts';
import { effectiveIn } from './append-event.ts';
import { ActorName, actorsParameter, Event, eventTypes } from './event.ts';
import type { EventFilter } from './event-queries.ts';

/** The paths of the fields that events can be filtered by. */
export const contentPaths = appContentFields.map(({ path }) => path);

/** Where events begin: a time or an event id. */
export const Since = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'Only events recorded at or after this time, or after the event with this id.',
});

const EventType = Type.String({ minLength: 1, maxLength: 100, format: 'single-line', examples: ['app.approved'] });

const onlyEffective = 'Only changes that carry `effective`: those of what a platform may act on.';

/** The query of a page of events: all, or those of an app, an actor or a request; or a search of content changes. */
export const EventQuery = Type.Object(
  {
    appId: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    actor: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        format: 'single-line',
        description: 'Only changes by this `actor`, such as a token id.',
      }),
    ),
    requestId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        format: 'single-line',
        description: 'The `X-Request-Id` of the request that made the changes.',
      }),
    ),
    field: Type.Optional(
      Type.Unsafe<ContentPath>({
        type: 'string',
        enum: contentPaths,
        description:
          'Only changes of this content field. Each page searches a bounded number of events and may have no items.',
      }),
    ),
    contains: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2_048,
        format: 'single-line',
        description:
          'Only changes that set or removed a value containing this text, regardless of case, in `field` or in any content field. Searches as `field` does.',
      }),
    ),
    type: repeated(EventType, 'Only changes of this type. An unknown type is an error. Searches as `field` does.'),
    effectiveOnly: Type.Optional(
      Type.Boolean({
        description: `${onlyEffective} Searches as \`field\` does.`,
      }),
    ),
    about: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        format: 'single-line',
        description:
          'Only changes that concern or mention the object with this id: a developer, workspace, installation, logo, token or webhook. Searches as `field` does.',
      }),
    ),
    since: Type.Optional(Since),
    until: Type.Optional(
      Type.Unsafe<string>({
        ...DateTime,
        description:
          'Only changes recorded before this time. Changes recorded while a clock was set back may be missing.',
      }),
    ),
    ...sortParameter(['id'], 'id'),
    workspaces: Type.Optional(
      Type.Boolean({ description: 'Whether the response includes the workspaces where the apps are installed.' }),
    ),
    actors: actorsParameter,
    ...pageParameters,
  },
  { additionalProperties: false },
);
export type EventQuery = Type.Static<typeof EventQuery>;

/** Where an app is installed. */
const InstalledApp = Type.Object(
  {
    appId: AppId,
    installationCount: Type.Integer({ minimum: 0, description: '0 for a deleted app.' }),
    workspaceIds: Type.Array(WorkspaceId, { description: 'The first 100, in order of installation.' }),
  },
  { $id: 'InstalledApp' },
);
export type InstalledApp = Type.Static<typeof InstalledApp>;

/** How far a page of a search has got. */
export const Searched = Type.Object(
  {
    events: Type.Integer({ minimum: 0, description: 'The number of events that this page read.' }),
    until: Type.Optional(
      Type.Object(
        { id: EventId, timestamp: DateTime },
        { description: 'The last event read; absent if there was none.' },
      ),
    ),
  },
  { $id: 'Searched', description: 'How far this page of a search got. The next page continues from there.' },
);
export type Searched = Type.Static<typeof Searched>;

/** Events that a search cannot read, because they are in files. */
export const ArchivedEvents = Type.Object(
  {
    firstArchive: Type.Integer({ minimum: 1 }),
    lastArchive: Type.Integer({ minimum: 1 }),
    lastEventId: Type.String({ ...EventId, description: 'The last event of the last archive.' }),
    lastTimestamp: Type.Unsafe<string>({ ...DateTime, description: 'The time of the latest event in these archives.' }),
  },
  {
    $id: 'ArchivedEvents',
    description:
      'The numbers of the archives that match `since`, whose events the search did not read. These events are only in the archive files.',
  },
);
export type ArchivedEvents = Type.Static<typeof ArchivedEvents>;

/** What each page of a search says beside its result. */
export const searchFields = { searched: Searched, archived: Type.Optional(ArchivedEvents) };

/** A page of events and, if requested, where the apps of these events are installed and who the actors are. */
export const EventPage = Type.Object(
  {
    ...pageOf(Event, 'Event').properties,
    apps: Type.Optional(Type.Array(InstalledApp)),
    actors: Type.Optional(Type.Array(ActorName)),
    searched: Type.Optional(Searched),
    archived: searchFields.archived,
  },
  {
    $id: 'EventPage',
    description:
      'One page of events, with `apps` if `workspaces` is true, and `actors` if `actors` is true. A search adds `searched`, and `archived` if older events are in files.',
  },
);
export type EventPage = Type.Static<typeof EventPage>;

/** The most seconds that a request waits for an event. */
export const feedWaitSecondsMax = 60;

/** Where the feed is read from without a cursor. */
const feedSince = (byDefault: string) =>
  Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: `Without a cursor: only events since this UTC time, or with \`now\` only new ones. By default, ${byDefault}.`,
      examples: ['now', '2026-03-01T09:30:00.000Z'],
    }),
  );

/** The query of the event feed. */
export const EventFeedQuery = Type.Object(
  {
    cursor: Type.Optional(
      Type.Unsafe<string>({
        ...Cursor,
        description: 'Where to continue: the `nextCursor` of an earlier response. Then `since` has no effect.',
      }),
    ),
    since: feedSince('all events'),
    ...orderParameter(['position'], 'position'),
    wait: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: feedWaitSecondsMax,
        description:
          'The maximum number of seconds to wait for an event. With 0, the default, the response is immediate.',
      }),
    ),
    type: repeated(EventType, 'Only events of this type. An unknown type is an error.'),
    appId: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'Only events of this app and its installations.' }),
    ),
    effectiveOnly: Type.Optional(Type.Boolean({ description: onlyEffective })),
    limit: pageParameters.limit,
  },
  { additionalProperties: false },
);
export type EventFeedQuery = Type.Static<typeof EventFeedQuery>;

/** The query of a stream of events. */
export const EventStreamQuery = Type.Object(
  {
    cursor: Type.Optional(
      Type.Unsafe<string>({
        ...Cursor,
        description:
          'Where to continue: the id of a message of an earlier stream, or a `nextCursor` of the feed. `Last-Event-ID` takes precedence.',
      }),
    ),
    since: feedSince('new ones'),
  },
  { additionalProperties: false },
);
export type EventStreamQuery = Type.Static<typeof EventStreamQuery>;

/** The next events of the feed. */
export const EventFeedPage = Type.Object(
  {
    ...pageOf(Event, 'Event').properties,
    nextCursor: Type.Unsafe<string>({
      ...Cursor,
      description:
        'Where to continue. Always present, even without items, and valid with other filters. The feed is read to its end when this is the cursor of the request.',
    }),
  },
  { $id: 'EventFeedPage', description: 'The next events of the feed.' },
);
export type EventFeedPage = Type.Static<typeof EventFeedPage>;

/** Refuses unknown types: as with a webhook, their reader would wait forever. */
export function requireEventTypes(types: readonly string[], errors: ValidationError[]): void {
  for (const [at, type] of types.entries()) {
    if (eventTypes.some((known) => known === type)) continue;
    const detail = `No event has the type ${JSON.stringify(type)}. Correct it. If a later release added the type, upgrade every server first.`;
    errors.push({ pointer: `/type/${at}`, code: 'not_allowed', detail });
  }
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
    data: shownData(event),
  };
  return view as Event;
}

function shownData(event: EventRow): object {
  const { before, after, details } = event;
  const effective = effectiveIn(event);
  return {
    ...(before !== null && { before: JSON.parse(before) }),
    ...(after !== null && { after: JSON.parse(after) }),
    ...(details !== null && JSON.parse(details)),
    ...(effective !== undefined && { effective }),
  };
}
