import Type from 'typebox';
import { eventData } from './event-data.ts';
import { DateTime } from './text.ts';

/** What the registry records of each change (decisions 34 and 35). A union, open to new members. */
export type EventType = keyof typeof eventData;
export const eventTypes = Object.keys(eventData) as EventType[];

/** What an event of each type tells. */
export type EventData = { [T in EventType]: Type.Static<(typeof eventData)[T]> };

/** What every event tells. */
const Head = Type.Object({
  id: Type.String({ examples: ['event_01jq3w3k1hf5tr8z0v6n2m9c4d'] }),
  timestamp: DateTime,
  actor: Type.String({
    description:
      'Whose change it is: the id of a token, `oidc:` and the subject of the tokens of an identity provider (`oidc:sha256:` and a hash of it, where it may tell a person), `command-line`, or `upkeep` for what the service does by itself.',
    examples: ['token_01jq3w4m2jg6vs9a1w7p3n0d5e'],
  }),
  requestId: Type.Optional(
    Type.String({ description: 'The `X-Request-Id` of the request that made the change, if one did.' }),
  ),
  appId: Type.Optional(Type.String({ description: 'The app that it is about, if it is about one.' })),
  subjectId: Type.String({ description: 'The id of what changed.' }),
});

/** One change of a type. */
type EventOf<T extends EventType> = Type.Static<typeof Head> & { type: T; data: EventData[T] };

/** One change: who made it, when, and what it was before and is after. */
export type Event = { [T in EventType]: EventOf<T> }[EventType];

const { id, ...head } = Head.properties;
const schemas = eventTypes.map((type) => {
  const { description, ...data } = eventData[type] as object as { description: string };
  const members = { id, type: Type.Literal(type), ...head, data: Type.Unsafe(data) };
  return Type.Object(members, { $id: schemaName(type), description });
});
const OtherEvent = Type.Object(
  {
    id,
    type: Type.Unsafe<string>({ type: 'string', not: { enum: eventTypes } }),
    ...head,
    data: Type.Unsafe<object>({ type: 'object' }),
  },
  { $id: 'OtherEvent', description: 'An event of a type that a later version tells.' },
);

/** The same as a schema, which takes types that are not known yet. */
export const Event = Type.Unsafe<Event>({
  $id: 'Event',
  description: 'One change. Take types and members that you do not know: a later version tells more.',
  anyOf: [...schemas, OtherEvent],
  discriminator: {
    propertyName: 'type',
    mapping: Object.fromEntries(eventTypes.map((type) => [type, `#/components/schemas/${schemaName(type)}`])),
  },
});

function schemaName(type: EventType): string {
  const words = type.split('.').map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`);
  return `${words.join('')}Event`;
}
