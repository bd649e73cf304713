import { sql } from 'kysely';
import { change, find, list } from '../../storage/query.ts';
import type { Reader } from '../../storage/statement.ts';
import { type CountedEventsRow, columns, type WeeklyInstallationsRow } from '../../storage/tables.ts';

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

/** The last event of a registry that is counted. */
export const findCountedEvents = find((db, { epoch }: { epoch: string }) =>
  db.selectFrom('counted_events').select(columns.counted_events).where('epoch', '=', epoch),
);

interface CountedStep extends CountedEventsRow {
  fromPosition: number;
  fromId: string;
}

/** Moves on from an event to a later one. Returns 0 if another process has moved on from it. */
export const moveCountedEvents = change((db, { epoch, position, id, fromPosition, fromId }: CountedStep) =>
  db
    .updateTable('counted_events')
    .set({ position, id })
    .where('epoch', '=', epoch)
    .where('position', '=', fromPosition)
    .where('id', '=', fromId),
);

/** Deletes what remains of the registry that a backup was made of. */
export const deleteForeignCountedEvents = change((db, { epoch }: { epoch: string }) =>
  db.deleteFrom('counted_events').where('epoch', '<>', epoch),
);
