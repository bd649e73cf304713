import Type from 'typebox';
import { Event } from './event.ts';
import { Cursor, pageParameters } from './page.ts';

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
        description: 'Events of these types alone, separated by commas, such as `app.approved,app.revoked`.',
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
