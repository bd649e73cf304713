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

/** Records a change in the transaction that makes it (decision 34). */
export async function appendEvent(
  transaction: Connection,
  { caller, at }: { caller: Caller; at: number },
  change: Change,
): Promise<void> {
  await insertEvent(transaction, toEventRow(caller, at, change));
}

/** Records many changes of one kind at once. */
export async function appendEvents(
  transaction: Connection,
  { caller, at }: { caller: Caller; at: number },
  changes: Change[],
): Promise<void> {
  await transaction.insertNew(
    'events',
    changes.map((change) => toEventRow(caller, at, change)),
  );
}

export function toEventRow(caller: Caller, at: number, change: Change): EventRow {
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
