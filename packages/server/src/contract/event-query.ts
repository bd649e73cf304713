import Type from 'typebox';
import { appContentFields, type ContentPath } from './app-content-fields.ts';
import { ActorName, actorsParameter, Event } from './event.ts';
import { AppId, EventId, WorkspaceId } from './ids.ts';
import { Cursor, pageOf, pageParameters } from './page.ts';
import { DateTime } from './text.ts';

/** The paths of the fields that events can be filtered by. */
export const contentPaths = appContentFields.map(({ path }) => path);

/** Where events begin: a time or an event id. */
export const Since = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'Events recorded at or after this time, or after the event with this id.',
});

/** The query of a page of events: all, or those of an app, an actor or a request; or a search of content changes. */
export const EventQuery = Type.Object(
  {
    appId: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    actor: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        format: 'single-line',
        description: 'Changes of this `actor`, such as the id of a token.',
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
          'Changes of this content field. A search: a page ends after a bounded number of events, even without items.',
      }),
    ),
    contains: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2_048,
        format: 'single-line',
        description:
          'Changes that set or removed a value with this text, regardless of case: of `field`, or of any content field. A search, as with `field`.',
      }),
    ),
    types: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2_000,
        format: 'single-line',
        description:
          'Changes of these types alone, separated by commas, such as `app.approved,app.rejected`. One that does not exist is refused. A search, as with `field`.',
      }),
    ),
    about: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        format: 'single-line',
        description:
          'Changes of the object with this id, and those whose values name it: of a developer, a workspace, an installation, a logo, a token or a webhook. A search, as with `field`.',
      }),
    ),
    since: Type.Optional(Since),
    until: Type.Optional(
      Type.Unsafe<string>({
        ...DateTime,
        description: 'Changes recorded before this time. What was recorded while a clock was set back may be missing.',
      }),
    ),
    newestFirst: Type.Optional(
      Type.Boolean({ description: 'Whether the newest event comes first instead of the oldest.' }),
    ),
    workspaces: Type.Optional(
      Type.Boolean({ description: 'Whether the response includes the workspaces in which the apps are installed.' }),
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
    workspaceIds: Type.Array(WorkspaceId, { description: 'At most 100, in the order of installation.' }),
  },
  { $id: 'InstalledApp' },
);
export type InstalledApp = Type.Static<typeof InstalledApp>;

/** How far a page of a search has got. */
export const Searched = Type.Object(
  {
    events: Type.Integer({ minimum: 0, description: 'How many events this page has read.' }),
    until: Type.Optional(
      Type.Object(
        { id: EventId, timestamp: DateTime },
        { description: 'The last one of them; absent when there was none.' },
      ),
    ),
  },
  { $id: 'Searched', description: 'How far a page of a search has got. The next page goes on from there.' },
);
export type Searched = Type.Static<typeof Searched>;

/** Events that a search cannot read, because they are in files. */
export const ArchivedEvents = Type.Object(
  {
    firstArchive: Type.Integer({ minimum: 1 }),
    lastArchive: Type.Integer({ minimum: 1 }),
    lastEventId: Type.String({ ...EventId, description: 'The last event of the last archive.' }),
    lastTimestamp: Type.Unsafe<string>({ ...DateTime, description: 'The latest time of an event in these archives.' }),
  },
  {
    $id: 'ArchivedEvents',
    description:
      'The archives, by their numbers, whose events a search has not read although they meet `since`. Their files are the only place that has them.',
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
      'One page of events, with `apps` if `workspaces` is true and `actors` if that is. A search has `searched`, and `archived` if older events are in files.',
  },
);
export type EventPage = Type.Static<typeof EventPage>;

/** The most seconds that a request waits for an event. */
export const feedWaitSecondsMax = 60;

/** The query of the event feed. */
export const EventFeedQuery = Type.Object(
  {
    after: Type.Optional(
      Type.String({
        maxLength: 500,
        description:
          'Where to read on: the `nextCursor` of an earlier response. To begin: `start` or nothing for all events, `now` for later ones, or a UTC time.',
        examples: ['start', 'now', '2026-03-01T09:30:00.000Z'],
      }),
    ),
    wait: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: feedWaitSecondsMax,
        description: 'How many seconds to wait for an event while there is none. 0, the default, responds at once.',
      }),
    ),
    types: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2_000,
        format: 'single-line',
        description:
          'Events of these types alone, separated by commas, such as `app.approved,app.revoked`. One that does not exist is refused.',
      }),
    ),
    appId: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'Events of this app and its installations alone.' }),
    ),
    limit: pageParameters.limit,
  },
  { additionalProperties: false },
);
export type EventFeedQuery = Type.Static<typeof EventFeedQuery>;

/** The query of a stream of events. */
export const EventStreamQuery = Type.Object(
  {
    after: Type.Optional(
      Type.String({
        maxLength: 500,
        description:
          'Where to begin: the id of a message of an earlier stream, the `nextCursor` of the feed, a UTC time, `start`, or `now`, which is the default. A `Last-Event-ID` takes precedence.',
        examples: ['now', '2026-03-01T09:30:00.000Z'],
      }),
    ),
  },
  { additionalProperties: false },
);
export type EventStreamQuery = Type.Static<typeof EventStreamQuery>;

/** The next events of the feed. */
export const EventFeedPage = Type.Object(
  {
    items: Type.Array(Event),
    nextCursor: Type.Unsafe<string>({
      ...Cursor,
      description: 'Where to read on. Always there, also without items. It stays valid with other filters.',
    }),
    hasMore: Type.Boolean({
      description: 'Whether there is more to read at once. A page with a filter may have no items and more to read.',
    }),
  },
  { $id: 'EventFeedPage', description: 'The next events of the feed.' },
);
export type EventFeedPage = Type.Static<typeof EventFeedPage>;
