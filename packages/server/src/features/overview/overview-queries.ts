import { type RawBuilder, sql } from 'kysely';
import { defineChange, defineFind, defineList, type Reader } from '../../storage/query.ts';
import {
  type CountedEventsRow,
  columns,
  type DailyCountsRow,
  type WeeklyInstallationsRow,
} from '../../storage/tables.ts';

const weekMs = 604_800_000;
/** The first Monday after the beginning of 1970, in UTC. */
const firstMonday = 345_600_000;

/** The number of the week of a time, in weeks since 5 January 1970. Both in UTC. */
export function weekAt(time: number): number {
  return Math.floor((time - firstMonday) / weekMs);
}

/** When a week begins, in milliseconds since 1970. */
export function beginOfWeek(week: number): number {
  return firstMonday + week * weekMs;
}

/** `weekAt` of a column in a query. */
function weekNumber(time: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`(${time} - ${sql.lit(firstMonday)}) / ${sql.lit(weekMs)}`;
}

/**
 * Counts the next apps after one, by id: their number per status, their installations, and the last id. Returns
 * no row when there are no more apps.
 */
export const listNextCounts = defineList((db, { after, limit }: { after: string; limit: number }) => {
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
export const listDailyCountsBefore = defineList((db, { day, limit }: { day: string; limit: number }) =>
  db.selectFrom('daily_counts').select(columns.daily_counts).where('day', '<', day).orderBy('day', 'desc').limit(limit),
);

/** When the latest counts up to a time were started. */
export const findLastCount = defineFind((db, { until }: { until: number }) =>
  db.selectFrom('daily_counts').select('counted_at').where('counted_at', '<=', until).orderBy('day', 'desc').limit(1),
);

const [, ...counted] = columns.daily_counts;

/** Replaces earlier counts of the day. */
export const replaceDailyCounts = defineChange((db, row: DailyCountsRow) =>
  db
    .insertInto('daily_counts')
    .values(Object.fromEntries(columns.daily_counts.map((name) => [name, row[name]])) as never)
    .onConflict((conflict) =>
      conflict
        .column('day')
        .doUpdateSet(({ ref }) => Object.fromEntries(counted.map((name) => [name, ref(`excluded.${name}`)]))),
    ),
);

/** The number of decisions of each kind in each week since a time. */
export const listWeeklyDecisions = defineList((db, { since }: { since: number }) => {
  const week = weekNumber(sql.ref('decided_at'));
  return db
    .selectFrom('decisions')
    .select((expression) => [week.as('week'), 'step', expression.fn.countAll<number>().as('decisions')])
    .where('decided_at', '>=', since)
    .groupBy([week, 'step']);
});

/** The median time in the review queue, in milliseconds, of what was decided on in each week since a time. */
export const listWeeklyWaits = defineList((db, { since }: { since: number }) => {
  const waited = sql<number>`decided_at - waiting_since`;
  const week = weekNumber(sql.ref('decided_at'));
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

/** The id in the rows of all apps together. */
export const allApps = '';

/** The installations made and deleted of all apps in these weeks. */
export async function listWeeklyInstallations(reader: Reader, weeks: number[]): Promise<WeeklyInstallationsRow[]> {
  const query = reader.builder
    .selectFrom('weekly_installations')
    .select(columns.weekly_installations)
    // Not a range, which would read the rows of all apps.
    .where('week', 'in', weeks)
    .where('app_id', '=', allApps);
  return reader.rows(query.compile());
}

/** The apps with the most new installations from a week on, less those deleted. */
export const listGrowingApps = defineList((db, { fromWeek, limit }: { fromWeek: number; limit: number }) => {
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
export const addWeeklyInstallations = defineChange((db, { week, app_id, created, deleted }: WeeklyInstallationsRow) =>
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
export const deleteWeeklyInstallationsOfApps = defineChange((db, { before }: { before: number }) =>
  db.deleteFrom('weekly_installations').where('week', '<', before).where('app_id', '<>', sql.lit(allApps)),
);

/** The last event of a registry that is counted. */
export const findCountedEvents = defineFind((db, { epoch }: { epoch: string }) =>
  db.selectFrom('counted_events').select(columns.counted_events).where('epoch', '=', epoch),
);

interface CountedStep extends CountedEventsRow {
  fromPosition: number;
  fromId: string;
}

/** Moves on from an event to a later one. Returns 0 if another process has moved on from it. */
export const moveCountedEvents = defineChange((db, { epoch, position, id, fromPosition, fromId }: CountedStep) =>
  db
    .updateTable('counted_events')
    .set({ position, id })
    .where('epoch', '=', epoch)
    .where('position', '=', fromPosition)
    .where('id', '=', fromId),
);

/** Deletes what remains of the registry that a backup was made of. */
export const deleteForeignCountedEvents = defineChange((db, { epoch }: { epoch: string }) =>
  db.deleteFrom('counted_events').where('epoch', '<>', epoch),
);
