import { sql } from 'kysely';
import { feedIndex, feedPosition } from '../migrations/baseline.ts';
import type { Connection } from '../query.ts';
import type { Storage } from '../storage.ts';

/**
 * Puts all events at the start of the feed, in the order of their ids, if the positions of some are those of another
 * server: restoring a dump numbers transactions anew. Earlier cursors are then refused. Reads of events wait while an
 * index is built. Returns whether it was necessary.
 */
export async function renumberFeed(storage: Storage): Promise<boolean> {
  if (!(await isForeign(storage, storage.reader))) return false;
  return storage.write(async (transaction) => {
    const { builder } = transaction;
    await transaction.run(sql`lock table events in access exclusive mode`.compile(builder));
    // Another process may have done it.
    if (!(await isForeign(storage, transaction))) return false;
    // An update of all rows would take minutes.
    for (const statement of [
      'alter table events drop column position',
      // A constant first, which existing rows get without being written.
      'alter table events add column position bigint not null default 0',
      `alter table events alter column position set default ${feedPosition}`,
      feedIndex,
    ]) {
      await transaction.run(sql.raw(statement).compile(builder));
    }
    return true;
  });
}

/** Looks at the end of an index. */
async function isForeign({ feedOrder }: Storage, connection: Connection): Promise<boolean> {
  if (!feedOrder.isForeign) return false;
  let query = connection.builder.selectFrom('events').select('id').where(feedOrder.isForeign).limit(sql.lit(1));
  for (const column of feedOrder.columns) query = query.orderBy(sql.ref(column), 'desc');
  return (await connection.rows(query.compile())).length > 0;
}
