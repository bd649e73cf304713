import type { EventType } from '../contract/event.ts';
import { insertEvent } from '../storage/events.ts';
import type { Connection } from '../storage/query.ts';
import type { EventRow } from '../storage/tables.ts';
import type { Caller } from './registry.ts';
import { newId } from './type-id.ts';

/** One change: of what, and what it was before and is after. Holds no token and no email address. */
export interface Change {
  type: EventType;
  appId?: string;
  subjectId: string;
  before?: object;
  after?: object;
}

/** Whose change it is, and when it was made. */
export interface Deed {
  caller: Caller;
  at: number;
}

/** Records a change in the transaction that makes it (decision 34). */
export async function appendEvent(transaction: Connection, change: Deed & Change): Promise<void> {
  await insertEvent(transaction, toEventRow(change));
}

/** Records many changes of one deed at once. */
export async function appendEvents(
  transaction: Connection,
  { changes, ...deed }: Deed & { changes: Change[] },
): Promise<void> {
  await transaction.insertNew(
    'events',
    changes.map((change) => toEventRow({ ...deed, ...change })),
  );
}

export function toEventRow({ caller, at, ...change }: Deed & Change): EventRow {
  return {
    id: newId('event'),
    type: change.type,
    occurred_at: at,
    app_id: change.appId ?? null,
    subject_id: change.subjectId,
    actor: caller.actor,
    request_id: caller.requestId,
    before: change.before ? JSON.stringify(change.before) : null,
    after: change.after ? JSON.stringify(change.after) : null,
  };
}
