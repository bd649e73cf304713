import { sql } from 'kysely';
import { list } from '../../storage/query.ts';
import { weekOf } from './week-queries.ts';

/** The number of decisions of each kind in each week since a time. */
export const listWeeklyDecisions = list((db, { since }: { since: number }) => {
  const week = weekOf(sql.ref('decided_at'));
  return db
    .selectFrom('decisions')
    .select((expression) => [week.as('week'), 'step', expression.fn.countAll<number>().as('decisions')])
    .where('decided_at', '>=', since)
    .groupBy([week, 'step']);
});

/** The median time in the review queue, in milliseconds, of what was decided on in each week since a time. */
export const listWeeklyWaits = list((db, { since }: { since: number }) => {
  const waited = sql<number>`decided_at - waiting_since`;
  const week = weekOf(sql.ref('decided_at'));
  const ranked = db
    .selectFrom('decisions')
    .select([
      week.as('week'),
      waited.as('waited'),
      sql<number>`row_number() over (partition by ${week} order by ${waited})`.as('place'),
      sql<number>`count(*) over (partition by ${week})`.as('decisions'),
    ])
    .where('decided_at', '>=', since)
    .where('waiting_since', 'is not', null);
  return db.selectFrom(ranked.as('ranked')).select(['week', 'waited']).where(sql<boolean>`place = (decisions + 1) / 2`);
});
