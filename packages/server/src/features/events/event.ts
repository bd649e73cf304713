import Type from 'typebox';
import { AppId, EventId } from '../../kernel/ids.ts';
import { DateTime } from '../../kernel/text.ts';
import { eventData } from './event-data.ts';

/** The types of recorded changes. Later releases may add types. */
export type EventType = keyof typeof eventData;
export const eventTypes = Object.keys(eventData) as EventType[];

/** The data of an event of each type. */
export type EventData = { [T in EventType]: Type.Static<(typeof eventData)[T]> };

/** The fields of every event. */
const Head = Type.Object({
  id: EventId,
  timestamp: DateTime,
  actor: Type.String({
    description:
      'Who made the change: the id of a token; `oidc:` and the subject in the tokens of an identity provider (`oidc:sha256:` and its hash, if it may identify a person); `command-line:` and the given name or `host/user`; or `maintenance` for automatic maintenance.',
    examples: ['token_01jq3w4m2je6vs9a1w7p3n0d5e'],
  }),
  requestId: Type.Optional(
    Type.String({ description: 'The `X-Request-Id` of the request that made the change, if any.' }),
  ),
  traceparent: Type.Optional(
    Type.String({
      description:
        'The `traceparent` that the request sent, if it was valid (W3C Trace Context): its trace and the span that made the request. Not proof of origin: clients may send any value.',
      pattern: '^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$',
      examples: ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'],
    }),
  ),
  reason: Type.Optional(Type.String({ description: 'The reason given for the change.' })),
  appId: Type.Optional(Type.String({ ...AppId, description: 'The app that the change concerns, if any.' })),
  subjectId: Type.String({ description: 'The id of the changed object.' }),
});

/** What a person calls an actor. */
export const ActorName = Type.Object(
  {
    actor: Type.String({ description: 'The actor, as in events.', examples: ['token_01jq3w4m2je6vs9a1w7p3n0d5e'] }),
    name: Type.String({
      description:
        'The name of a token or its developer, of a person signed in with an identity provider, or of the person who ran a command.',
      examples: ['Grace, reviewer'],
    }),
  },
  { $id: 'ActorName', description: 'The name of an actor.' },
);
export type ActorName = Type.Static<typeof ActorName>;

/** The parameter of a list for these names. */
export const actorsParameter = Type.Optional(
  Type.Boolean({ description: 'Whether the response includes the names of the actors, where known.' }),
);

/** One change of a type. */
type EventOf<T extends EventType> = Type.Static<typeof Head> & { type: T; data: EventData[T] };

/** One change: who made it, when, and the values before and after. */
export type Event = { [T in EventType]: EventOf<T> }[EventType];

const { id, ...head } = Head.properties;
const { timestamp, actor, requestId, appId, subjectId } = head;

/** What a stream of events says of one: enough to know what to read again. */
export const EventSummary = Type.Object(
  {
    id,
    type: Type.String({ description: 'Later releases may add types.', examples: ['app.approved'] }),
    timestamp,
    actor,
    actorName: Type.Optional(ActorName.properties.name),
    requestId,
    appId,
    subjectId,
  },
  { $id: 'EventSummary', description: 'One change, without its values and reason.' },
);
export type EventSummary = Type.Static<typeof EventSummary>;

/** The schema of the events of each type. */
export const eventSchemas = new Map(eventTypes.map((type) => [type, eventSchema(type)]));
const OtherEvent = Type.Object(
  {
    id,
    type: Type.Unsafe<string>({ type: 'string', not: { enum: eventTypes } }),
    ...head,
    data: Type.Unsafe<object>({ type: 'object' }),
  },
  { $id: 'OtherEvent', description: 'An event of a type that a later release added.' },
);

// A name of its own: where unknown types are possible, compilers cannot distinguish the known ones.
const KnownEvent = Type.Unsafe<Event>({
  $id: 'KnownEvent',
  description: 'A change of a type known to this release. `type` distinguishes the types.',
  anyOf: [...eventSchemas.values()],
});

/**
 * The same as a schema, which accepts unknown types too. It has no `discriminator`: generated validators would refuse
 * every type that is not in its mapping.
 */
export const Event = Type.Unsafe<Event>({
  $id: 'Event',
  description: 'One change. Accept unknown types and fields: later releases add more.',
  anyOf: [KnownEvent, OtherEvent],
});

function eventSchema(type: EventType) {
  const { description, ...data } = eventData[type];
  const properties = { id, type: Type.Literal(type), ...head, data: Type.Unsafe(data) };
  return Type.Object(properties, { $id: schemaName(type), description });
}

function schemaName(type: EventType): string {
  const words = type.split(/[._]/).map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`);
  return `${words.join('')}Event`;
}
