import { sql } from 'kysely';
import type { FeedPlace } from '../../event-feed.ts';
import { change, find, list } from '../../query.ts';
import { columns, type CountedEventsRow, type WeeklyInstallationsRow } from '../../tables.ts';

/** The id in the rows of all apps together. */
export const allApps = '';

/** The installations made and deleted in each week from one on. */
export const listWeeklyInstallations = list((db, { weeks }: { weeks: string }) =>
  db
    .selectFrom('weekly_installations')
    .select(columns.weekly_installations)
    .where('app_id', '=', sql.lit(allApps))
    .where('week', '>=', sql<number>`${weeks}`),
);

/** The apps with the most new installations from a week on, less those deleted. */
export const listGrowingApps = list((db, { fromWeek, limit }: { fromWeek: number; limit: number }) => {
  const growth = sql<number>`sum(created) - sum(deleted)`;
  const growing = db
    .selectFrom('weekly_installations')
    .select([
      'app_id',
      sql<number>`cast(sum(created) as bigint)`.as('created'),
      sql<number>`cast(sum(deleted) as bigint)`.as('deleted'),
    ])
    .where('week', '>=', fromWeek)
    .where('app_id', '<>', sql.lit(allApps))
    .groupBy('app_id')
    .having(growth, '>', sql.lit(0))
    .orderBy(growth, 'desc')
    .orderBy('app_id')
    .limit(limit);
  return db
    .selectFrom(growing.as('growing'))
    .innerJoin('apps', 'apps.id', 'growing.app_id')
    .select(['apps.id', 'apps.name', 'growing.created', 'growing.deleted'])
    .orderBy(sql`growing.created - growing.deleted`, 'desc')
    .orderBy('apps.id');
});

/** Adds to the counts of a week. */
export const addWeeklyInstallations = change((db, { week, app_id, created, deleted }: WeeklyInstallationsRow) =>
  db
    .insertInto('weekly_installations')
    .values({ week, app_id, created, deleted })
    .onConflict((conflict) =>
      conflict.columns(['week', 'app_id']).doUpdateSet({
        created: sql<number>`weekly_installations.created + excluded.created`,
        deleted: sql<number>`weekly_installations.deleted + excluded.deleted`,
      }),
    ),
);

/** Deletes the rows of single apps before a week. */
export const deleteWeeklyInstallationsOfApps = change((db, { before }: { before: number }) =>
  db.deleteFrom('weekly_installations').where('week', '<', before).where('app_id', '<>', sql.lit(allApps)),
);

/** The last event that is counted. */
export const findCountedEvents = find((db) => db.selectFrom('counted_events').select(columns.counted_events));

/** Begins to count after an event, instead of where another registry had counted to. */
export const beginToCountEvents = change((db, { epoch, position, id }: CountedEventsRow) =>
  db.insertInto('counted_events').values({ epoch, position, id }).onConflict((conflict) => conflict.doNothing()),
);

export const deleteForeignCountedEvents = change((db, { epoch }: { epoch: string }) =>
  db.deleteFrom('counted_events').where('epoch', '<>', epoch),
);

/** Moves on, unless another process has. Returns whether it moved, as a number of rows. */
export const moveCountedEvents = change((db, { from, to }: { from: CountedEventsRow; to: FeedPlace }) => {
  throw new Error(`${from}${to}${db}`);
});
