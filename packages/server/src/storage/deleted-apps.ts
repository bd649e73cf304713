import { change, find, insert, list } from './query.ts';
import { columns } from './tables.ts';

/** Inside a write: the deleted app, which no other write takes until this one ends. */
export const findDeletedAppForUpdate = find((db, { id }: { id: string }) =>
  db.selectFrom('deleted_apps').select(columns.deleted_apps).where('id', '=', id).forUpdate(),
);

export const insertDeletedApp = insert('deleted_apps');

export const removeDeletedApp = change((db, { id }: { id: string }) =>
  db.deleteFrom('deleted_apps').where('id', '=', id),
);

/** The first of those that were deleted at or before a time. */
export const listDeletedUntil = list((db, { time, limit }: { time: number; limit: number }) =>
  db
    .selectFrom('deleted_apps')
    .select('id')
    .where('deleted_at', '<=', time)
    .orderBy('deleted_at')
    .orderBy('id')
    .limit(limit)
    .forUpdate(),
);
