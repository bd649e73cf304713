import type { EventData } from './event-data.ts';

/**
 * The types of events that this version knows.
 *
 * @example
 * const wanted: EventType[] = ['app.approved', 'app.rejected'];
 * console.log(wanted.includes(event.type));
 */
export type EventType = keyof EventData;

/**
 * One change: who made it, when, and what it was before and is after. Told apart by `type`. A newer registry also
 * sends types and members that are not here: let them pass, as `visit` does by `_other`.
 *
 * @example
 * const received: AppRegistryEvent = await verifyWebhook({ body: await request.text(), headers: request.headers, secret });
 * console.log(received.type, received.subjectId);
 */
export type AppRegistryEvent = { [Type in EventType]: EventOf<Type> }[EventType];

/**
 * An event of one type.
 *
 * @example
 * const told = ({ data }: EventOf<'app.updated'>) => data.after.name;
 * visit(event, { 'app.updated': told, _other: () => undefined });
 */
export type EventOf<Type extends EventType> = EventEnvelope<Type, EventData[Type]>;

/**
 * An event of a type that this version does not know.
 *
 * @example
 * const told = ({ type, data }: AppRegistryEvent | UnknownEvent) => `${type}: ${Object.keys(data)}`;
 * console.log(visit(event, { _other: told }));
 */
export type UnknownEvent = EventEnvelope<string, Record<string, unknown>>;

/**
 * What every event tells.
 *
 * @example
 * const line = ({ timestamp, actor, type }: EventEnvelope<string, unknown>) => `${timestamp} ${actor} ${type}`;
 * console.log(line(event));
 */
export interface EventEnvelope<Type extends string, Data> {
  /** `event_…`: the same one each time that it is delivered. */
  id: string;
  type: Type;
  /** When the change was made: RFC 3339, in UTC, with milliseconds. */
  timestamp: string;
  /**
   * Whose change it is: the id of a token, `oidc:` and the subject of the tokens of an identity provider,
   * `command-line`, or `upkeep` for what the registry does by itself.
   */
  actor: string;
  /** The `X-Request-Id` of the request that made the change, if one did. */
  requestId?: string;
  /** The app that it is about, if it is about one. */
  appId?: string;
  /** The id of what changed. */
  subjectId: string;
  data: Data;
}
