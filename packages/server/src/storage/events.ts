import { insert, list } from './query.ts';
import { columns } from './tables.ts';

export const insertEvent = insert('events');

/** The trail of one app, oldest first. */
export const listEventsOfApp = list((db, { appId }: { appId: string }) =>
  db.selectFrom('events').select(columns.events).where('app_id', '=', appId).orderBy('id'),
);
