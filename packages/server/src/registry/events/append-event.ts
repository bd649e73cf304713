import type { EventData, EventType } from '../../contract/event.ts';
import { insertEvent } from '../../storage/queries/events.ts';
import type { Connection } from '../../storage/query.ts';
import type { EventRow } from '../../storage/tables.ts';
import type { Caller } from '../registry.ts';
import { newId } from '../type-id.ts';
import { queueDeliveries } from '../webhooks/deliveries/queue-deliveries.ts';

/** One change: of what, and what its type tells of it. Holds no token and no email address. */
export type Change = { [Type in EventType]: ChangeOf<Type> }[EventType];

/** A change of one type. */
type ChangeOf<Type extends EventType> = { type: Type; subjectId: string } & About<Type> & EventData[Type];

type About<Type> = Type extends `app.${string}` | `installation.${string}` ? { appId: string } : { appId?: never };

/** Whose change it is, and when it was made. */
export interface ChangeContext {
  caller: Caller;
  at: number;
}

/** Records a change in the transaction that makes it (decision 34). */
export async function appendEvent(transaction: Connection, change: ChangeContext & Change): Promise<void> {
  const event = toEventRow(change);
  // Together, which is one round trip; deliveries come after the event that they refer to.
  await Promise.all([insertEvent(transaction, event), queueDeliveries(transaction, [event])]);
}

/** Records many changes of one deed at once. */
export async function appendEvents(
  transaction: Connection,
  { changes, ...deed }: ChangeContext & { changes: Change[] },
): Promise<void> {
  await insertEvents(
    transaction,
    changes.map((change) => toEventRow({ ...deed, ...change })),
  );
}

/** The same for events that are rows already. */
export async function insertEvents(transaction: Connection, events: EventRow[]): Promise<void> {
  await transaction.insertNew('events', events);
  await queueDeliveries(transaction, events);
}

/** Whatever the type, what is told before and after has columns of its own. */
interface Told {
  before?: object;
  after?: object;
  [more: string]: unknown;
}

export function toEventRow({ caller, at, type, appId, subjectId, ...data }: ChangeContext & Change): EventRow {
  const { before, after, ...details }: Told = data;
  return {
    id: newId('event'),
    type,
    occurred_at: at,
    app_id: appId ?? null,
    subject_id: subjectId,
    actor: caller.actor,
    request_id: caller.requestId,
    before: before ? JSON.stringify(before) : null,
    after: after ? JSON.stringify(after) : null,
    details: Object.values(details).some((value) => value !== undefined) ? JSON.stringify(details) : null,
  };
}
