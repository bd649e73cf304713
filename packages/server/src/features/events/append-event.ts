import { newId, nextId } from '../../kernel/ids.ts';
import type { Caller } from '../../kernel/registry.ts';
import type { Connection } from '../../storage/query.ts';
import type { DeliveryRow, EventRow } from '../../storage/tables.ts';
import { contentUnderPaths, contentValue, type PartialContent } from '../apps/app-content.ts';
import { listEnabledWebhooks } from '../webhooks/webhook-queries.ts';
import type { EventData, EventType } from './event.ts';
import { findNewestEventId, insertEvent } from './event-queries.ts';

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

/** Records a change in the transaction that makes it, after it has locked what changes. */
export async function appendEvent(transaction: Connection, change: ChangeContext & Change): Promise<void> {
  await appendEventRow(transaction, toEventRow(change, await readEventIds(transaction)), change.caller);
}

/** The same for an event that is a row already. */
export async function appendEventRow(transaction: Connection, event: EventRow, caller: Caller): Promise<void> {
  // In one round trip; deliveries come after the event that they refer to.
  await Promise.all([insertEvent(transaction, event), deliver(transaction, [event], caller)]);
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
  await transaction.insertAll('events', events);
  await deliver(transaction, events, caller);
}

async function deliver(transaction: Connection, events: EventRow[], { deliversEvents = true }: Caller): Promise<void> {
  if (deliversEvents) await queueDeliveries(transaction, events);
}

/**
 * Queues the deliveries of these events in the transaction of the changes. So webhooks receive exactly the committed
 * changes.
 */
async function queueDeliveries(transaction: Connection, events: EventRow[]): Promise<void> {
  const webhooks = await listEnabledWebhooks(transaction, {});
  const deliveries = webhooks.flatMap(({ id, types, effective_only }) => {
    const wanted = types?.split(' ');
    return events
      .filter(({ type }) => wanted?.includes(type) ?? true)
      .filter(({ effective }) => effective_only === 0 || effective !== null)
      .map((event) => newDelivery(event, id));
  });
  if (deliveries.length > 0) await transaction.insertAll('deliveries', deliveries);
}

/** The delivery of an event to a webhook, at the end of its queue. */
export function newDelivery(event: EventRow, webhookId: string): DeliveryRow {
  return {
    id: newId('delivery'),
    webhook_id: webhookId,
    event_id: event.id,
    queue: event.app_id ?? event.subject_id,
    state: 'pending',
    attempts: 0,
    due_at: event.occurred_at,
    created_at: event.occurred_at,
    attempted_at: null,
    finished_at: null,
    response_status: null,
    response_body: null,
    sent_with: null,
  };
}

/** Data of any event type: all but the details have columns of their own. */
interface AnyEventData {
  before?: object;
  after?: object;
  effective?: PartialContent<null> | null;
  [more: string]: unknown;
}

export function toEventRow(
  { caller, at, type, appId, subjectId, ...data }: ChangeContext & Change,
  nextId: NextEventId,
): EventRow {
  const { before, after, effective, ...details }: AnyEventData = data;
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
    effective: effective === undefined ? null : effectiveText(effective, after),
    reason: caller.reason ?? null,
  };
}

/** In place of content that `after` has too: an event stores a value once. */
const sameAsAfter = '"after"';

function effectiveText(effective: PartialContent<null> | null, after: object = {}): string {
  const text = JSON.stringify(effective);
  return text === JSON.stringify(contentIn(after)) ? sameAsAfter : text;
}

/** What an event says of the content that a platform may act on; undefined if nothing. */
export function effectiveIn({ effective, after }: EventRow): PartialContent<null> | null | undefined {
  if (effective === null) return undefined;
  return effective === sameAsAfter ? contentIn(JSON.parse(after ?? '{}')) : JSON.parse(effective);
}

function contentIn(data: PartialContent<null>): PartialContent<null> {
  return contentUnderPaths((field) => contentValue(data, field));
}

/** The id of an event at a time, in milliseconds: greater than all that it has returned before. */
export type NextEventId = (at: number) => string;

/**
 * Makes the ids of new events, by which events are ordered: each is greater than every id that is stored now, and never
 * behind the clock (decision record 0017). Read them after the lock of the object that changes, so that the ids of its
 * events have the order of its changes. The same round trip suffices.
 */
export async function readEventIds(transaction: Connection): Promise<NextEventId> {
  const newest = await findNewestEventId(transaction, {});
  let last = newest?.id ?? null;
  return (at) => {
    last = nextId('event', last, at);
    return last;
  };
}
