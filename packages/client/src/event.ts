import type { EventData } from './event-data.ts';

/**
 * The types of events that this version knows.
 *
 * @example
 * const reviewTypes: EventType[] = ['app.approved', 'app.rejected'];
 * console.log(reviewTypes.includes(event.type));
 */
export type EventType = keyof EventData;

/**
 * One change: who made it, when, and the state before and after. Discriminated by `type`. A newer registry may send
 * types and fields that are not declared here: accept them, as `visit` does with `_other`.
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
 * const describe = ({ data }: EventOf<'app.updated'>) => data.after.name;
 * visit(event, { 'app.updated': describe, _other: () => undefined });
 */
export type EventOf<Type extends EventType> = EventEnvelope<Type, EventData[Type]>;

/**
 * An event of a type that this version does not know.
 *
 * @example
 * const describe = ({ type, data }: AppRegistryEvent | UnknownEvent) => `${type}: ${Object.keys(data)}`;
 * console.log(visit(event, { _other: describe }));
 */
export type UnknownEvent = EventEnvelope<string, Record<string, unknown>>;

/**
 * The fields of every event.
 *
 * @example
 * const line = ({ timestamp, actor, type }: EventEnvelope<string, unknown>) => `${timestamp} ${actor} ${type}`;
 * console.log(line(event));
 */
export interface EventEnvelope<Type extends string, Data> {
  /** `event_…`: the same for each delivery. */
  id: string;
  /** What was changed, such as `app.approved`. */
  type: Type;
  /** When the change was made: RFC 3339, in UTC, with milliseconds. */
  timestamp: string;
  /**
   * Who made the change: a token id, `oidc:` and the subject of an identity provider, `command-line:` and a name or the
   * host and user, or `maintenance` for what the registry does by itself.
   */
  actor: string;
  /** The `X-Request-Id` of the request that made the change, if one did. */
  requestId?: string;
  /** The trace of that request (W3C Trace Context), if it sent one. Any client may send any. */
  traceparent?: string;
  /** The reason that was given for the change. */
  reason?: string;
  /** The app concerned, if any. */
  appId?: string;
  /** The id of the changed object. */
  subjectId: string;
  /** The state before and after, or the changed fields. */
  data: Data;
}
