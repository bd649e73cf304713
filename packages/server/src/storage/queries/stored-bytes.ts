import { type RawBuilder, sql } from 'kysely';
import { change, find, statement } from '../query.ts';
import type { StoredBytesRow } from '../tables.ts';

/** The column with the bytes of a day. If they would exceed the limit, the statement fails because it has no value. */
export const storedBytesColumn = 'stored_bytes.bytes';

/** Adds to the bytes of a developer's day, up to `max`. Fails with `ValueRequired` if they would exceed it. */
export const addStoredBytes = statement((db, { day, developer_id, bytes, max }: StoredBytesRow & { max: number }) => {
  const upTo = (sum: RawBuilder<unknown>) => sql`case when ${sum} <= ${max} then ${sum} end`;
  const given = sql`cast(${bytes} as bigint)`;
  const query = sql`insert into stored_bytes (day, developer_id, bytes) values (${day}, ${developer_id}, ${upTo(given)})
    on conflict (day, developer_id) do update set bytes = ${upTo(sql`stored_bytes.bytes + excluded.bytes`)}`;
  return { compile: () => query.compile(db) };
});

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
