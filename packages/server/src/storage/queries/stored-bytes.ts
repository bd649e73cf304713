import { sql } from 'kysely';
import { change, find } from '../query.ts';
import type { StoredBytesRow } from '../tables.ts';

/** Adds to the bytes of a developer's day, up to `max`. Changes nothing and returns 0 if that would exceed it. */
export const addStoredBytes = change((db, { day, developer_id, bytes, max }: StoredBytesRow & { max: number }) =>
  db
    .insertInto('stored_bytes')
    .values({ day, developer_id, bytes })
    .onConflict((conflict) =>
      conflict
        .columns(['day', 'developer_id'])
        .doUpdateSet({ bytes: sql<number>`stored_bytes.bytes + excluded.bytes` })
        .where(sql<number>`stored_bytes.bytes + excluded.bytes`, '<=', max),
    ),
);

export const findStoredBytes = find((db, { day, developer_id }: Omit<StoredBytesRow, 'bytes'>) =>
  db.selectFrom('stored_bytes').select('bytes').where('day', '=', day).where('developer_id', '=', developer_id),
);

/** The most that a developer has stored on a day; null when none has. */
export const findMostStoredBytes = find((db, { day }: { day: string }) =>
  db
    .selectFrom('stored_bytes')
    .select(({ fn }) => fn.max('bytes').as('bytes'))
    .where('day', '=', day),
);

export const deleteStoredBytesBefore = change((db, { day }: { day: string }) =>
  db.deleteFrom('stored_bytes').where('day', '<', day),
);
