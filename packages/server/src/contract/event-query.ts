import Type from 'typebox';
import { appContentFields, type ContentPath } from './app-content-fields.ts';
import { Event } from './event.ts';
import { pageOf, pageParameters } from './page.ts';

/** The paths of the fields by which changes of content can be found. */
export const contentPaths = appContentFields.map(({ path }) => path);

/** What asks for events: all, or those of an app, of an actor or of a request. */
export const EventQuery = Type.Object(
  {
    appId: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    actor: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        format: 'single-line',
        description: 'Whose changes: what the events tell as `actor`, such as the id of a token.',
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
        description: 'What they gave or changed of the content of the app. Takes `appId` beside it.',
      }),
    ),
    since: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'Those recorded at or after a time, or after the event with this id.',
      }),
    ),
    newestFirst: Type.Optional(Type.Boolean({ description: 'Whether the latest comes first, and not the oldest.' })),
    workspaces: Type.Optional(
      Type.Boolean({ description: 'Whether the answer also tells which workspaces have the apps.' }),
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
    installationCount: Type.Integer({ minimum: 0, description: '0 of an app that was deleted.' }),
    workspaceIds: Type.Array(Type.String(), { description: 'The first 100 of them, in the order of installation.' }),
  },
  { $id: 'InstalledApp' },
);
export type InstalledApp = Type.Static<typeof InstalledApp>;

/** A page of events and, when it was asked for, where the apps are installed that these events are about. */
export const EventPage = Type.Object(
  { ...pageOf(Event, 'Event').properties, apps: Type.Optional(Type.Array(InstalledApp)) },
  { $id: 'EventPage', description: 'One page of events; `apps` when `workspaces` asked for it.' },
);
export type EventPage = Type.Static<typeof EventPage>;
