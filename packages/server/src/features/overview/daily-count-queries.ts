import { sql } from 'kysely';
import { change, find, list } from '../../storage/query.ts';
import { columns, type DailyCountsRow } from '../../storage/tables.ts';

/**
 * Counts the next apps after one, by id: their number per status, their installations, and the last id. Returns
 * no row when there are no more apps.
 */
export const listNextCounts = list((db, { after, limit }: { after: string; limit: number }) => {
  const step = db
    .selectFrom('apps')
    .select(['id', 'review_status', 'installation_count'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit);
  return db
    .selectFrom(step.as('step'))
    .select(({ fn }) => [
      'review_status',
      fn.countAll<number>().as('apps'),
      sql<number>`cast(sum(installation_count) as bigint)`.as('installations'),
      fn.max('id').as('last_id'),
    ])
    .groupBy('review_status');
});

/** The latest days before a day, latest first. */
export const listDailyCountsBefore = list((db, { day, limit }: { day: string; limit: number }) =>
  db.selectFrom('daily_counts').select(columns.daily_counts).where('day', '<', day).orderBy('day', 'desc').limit(limit),
);

/** When the latest counts up to a time were started. */
export const findLastCount = find((db, { until }: { until: number }) =>
  db.selectFrom('daily_counts').select('counted_at').where('counted_at', '<=', until).orderBy('day', 'desc').limit(1),
);

const [, ...counted] = columns.daily_counts;

/** Replaces earlier counts of the day. */
export const replaceDailyCounts = change((db, row: DailyCountsRow) =>
  db
    .insertInto('daily_counts')
    .values(Object.fromEntries(columns.daily_counts.map((name) => [name, row[name]])) as never)
    .onConflict((conflict) =>
      conflict
        .column('day')
        .doUpdateSet(({ ref }) => Object.fromEntries(counted.map((name) => [name, ref(`excluded.${name}`)]))),
    ),
);
