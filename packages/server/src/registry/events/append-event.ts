import type { EventData, EventType } from '../../contract/event.ts';
import { insertEvents } from '../../storage/queries/events.ts';
import type { Connection } from '../../storage/query.ts';
import type { EventRow } from '../../storage/tables.ts';
import type { Caller } from '../registry.ts';
import { queueDeliveries } from '../webhooks/deliveries/queue-deliveries.ts';
import { type NextEventId, readEventIds } from './event-ids.ts';

/** A change: its subject and the data of its type. Contains no token and no email address. */
export type Change = { [Type in EventType]: ChangeOf<Type> }[EventType];

/** A change of one type. */
type ChangeOf<Type extends EventType> = { type: Type; subjectId: string } & About<Type> & EventData[Type];

type About<Type> = Type extends `app.${string}` | `installation.${string}` ? { appId: string } : { appId?: never };

/** Who makes a change, and when. */
export interface ChangeContext {
  caller: Caller;
  at: number;
}

/** Records a change in the transaction that makes it (decision 34), after it has locked what changes. */
export async function appendEvent(transaction: Connection, change: ChangeContext & Change): Promise<void> {
  await appendEventsOfOne(transaction, [toEventRow(change, await readEventIds(transaction))], change.caller);
}

/** The same for the events of one change, which are rows already. */
export async function appendEventsOfOne(transaction: Connection, events: EventRow[], caller: Caller): Promise<void> {
  // In one round trip; deliveries come after the events that they refer to.
  await Promise.all([insertEvents(transaction, events), deliver(transaction, events, caller)]);
}

/** Records several changes with one context. */
export async function appendEvents(
  transaction: Connection,
  { changes, ...context }: ChangeContext & { changes: Change[] },
): Promise<void> {
  const nextId = await readEventIds(transaction);
  const events = changes.map((change) => toEventRow({ ...context, ...change }, nextId));
  await appendEventRows(transaction, events, context.caller);
}

/** The same for events that are already rows. */
export async function appendEventRows(transaction: Connection, events: EventRow[], caller: Caller): Promise<void> {
  await transaction.insertNew('events', events);
  await deliver(transaction, events, caller);
}

async function deliver(transaction: Connection, events: EventRow[], { deliversEvents = true }: Caller): Promise<void> {
  if (deliversEvents) await queueDeliveries(transaction, events);
}

/** Data of any event type: `before` and `after` have columns of their own. */
interface AnyEventData {
  before?: object;
  after?: object;
  [more: string]: unknown;
}

export function toEventRow(
  { caller, at, type, appId, subjectId, ...data }: ChangeContext & Change,
  nextId: NextEventId,
): EventRow {
  const { before, after, ...details }: AnyEventData = data;
  return {
    id: nextId(at),
    type,
    occurred_at: at,
    app_id: appId ?? null,
    subject_id: subjectId,
    actor: caller.actor,
    request_id: caller.requestId,
    traceparent: caller.traceparent ?? null,
    before: before ? JSON.stringify(before) : null,
    after: after ? JSON.stringify(after) : null,
    details: Object.values(details).some((value) => value !== undefined) ? JSON.stringify(details) : null,
    reason: caller.reason ?? null,
  };
}
