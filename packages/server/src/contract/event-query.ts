import Type from 'typebox';
import { appContentFields, type ContentPath } from './app-content-fields.ts';
import { Event } from './event.ts';
import { pageOf, pageParameters } from './page.ts';

/** The paths of the fields that events can be filtered by. */
export const contentPaths = appContentFields.map(({ path }) => path);

/** The query of a page of events: all, or those of an app, an actor or a request. */
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
        description: 'Changes of this content field. Requires `appId`.',
      }),
    ),
    since: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'Events recorded at or after this time, or after the event with this id.',
      }),
    ),
    newestFirst: Type.Optional(
      Type.Boolean({ description: 'Whether the newest event comes first instead of the oldest.' }),
    ),
    workspaces: Type.Optional(
      Type.Boolean({ description: 'Whether the response includes the workspaces in which the apps are installed.' }),
    ),
    ...pageParameters,
  },
  { additionalProperties: false },
);
export type EventQuery = Type.Static<typeof EventQuery>;

/** Where an app is installed. */
const InstalledApp = Type.Object(
  {
    appId: Type.String(),
    installationCount: Type.Integer({ minimum: 0, description: '0 for a deleted app.' }),
    workspaceIds: Type.Array(Type.String(), { description: 'At most 100, in the order of installation.' }),
  },
  { $id: 'InstalledApp' },
);
export type InstalledApp = Type.Static<typeof InstalledApp>;

/** A page of events and, if requested, where the apps of these events are installed. */
export const EventPage = Type.Object(
  { ...pageOf(Event, 'Event').properties, apps: Type.Optional(Type.Array(InstalledApp)) },
  { $id: 'EventPage', description: 'One page of events, with `apps` if `workspaces` is true.' },
);
export type EventPage = Type.Static<typeof EventPage>;
