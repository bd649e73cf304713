import { insert, list } from './query.ts';

export const insertEvent = insert('events');

/** The trail of one app, oldest first. */
export const listEventsOfApp = list((db, { appId }: { appId: string }) =>
  db.selectFrom('events').selectAll().where('app_id', '=', appId).orderBy('id'),
);
