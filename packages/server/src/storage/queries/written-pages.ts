import { type RawBuilder, sql } from 'kysely';
import { find } from '../query.ts';
import { classAndId, lastId } from './events.ts';

/** At least the number of smallest entries of `events_of_app_by_class` that fit on a page. */
const eventsOfPage = 60;

/** A change of all columns of an app rewrites its entry in each of these. */
const otherIndexes = {
  apps_by_name: 'other.name_key >= app.name_key',
  apps_with_logo: 'other.logo_id >= app.logo_id',
  apps_in_review: `other.review_status = 'AWAITING_REVIEW' and other.submitted_at >= app.submitted_at`,
  apps_waiting: 'other.waiting_since > 0 and other.waiting_since >= app.waiting_since',
};

/** A change of an app may move its entry in each of these from one state to the other. */
const stateIndexes = {
  apps_in_state: 'other.id >= app.id',
  apps_in_state_by_name: 'other.name_key >= app.name_key',
  apps_of_developer_in_state: 'other.developer_id = app.developer_id and other.id >= app.id',
  apps_of_developer_in_state_by_name: 'other.developer_id = app.developer_id and other.name_key >= app.name_key',
};

/**
 * Reads the pages that a change of an app and its event write, besides the row of the app and those that every change
 * writes. On SQLite only: an index is named where the planner would choose another one.
 */
export const findWrittenPages = find((db, { id }: { id: string }) => {
  const states = Object.entries(stateIndexes).flatMap(([index, start]) =>
    [0, 1].map(
      (changed) => sql`(select 1 from apps as other indexed by ${sql.ref(index)}
        where other.review_status = app.review_status and other.changed_since_approval = ${sql.lit(changed)}
          and ${sql.raw(start)} limit 1)`,
    ),
  );
  const others = Object.entries(otherIndexes).map(
    ([index, start]) => sql`(select 1 from apps as other indexed by ${sql.ref(index)} where ${sql.raw(start)} limit 1)`,
  );
  const query = sql<object>`select ${sql.join([
    ...states,
    ...others,
    sql`(select 1 from name_claims where app_id = app.id limit 1)`,
    ...['content ', 'other '].map(latestEvent),
    ...(['<', '>'] as const).map(eventsBeside),
  ])} from apps as app where app.id = ${id}`;
  return { compile: () => query.compile(db) };
});

/** New events of an app are inserted after the latest one of their class. */
function latestEvent(name: string): RawBuilder<unknown> {
  return sql`(select max(${classAndId}) from events
    where app_id = app.id and ${classAndId} > ${sql.lit(name)} and ${classAndId} < ${sql.lit(name + lastId)})`;
}

/** A page that is full is split, which reads the pages beside it. */
function eventsBeside(side: '<' | '>'): RawBuilder<unknown> {
  const order = sql.raw(side === '<' ? 'desc' : 'asc');
  return sql`(select count(*) from (select 1 from events indexed by events_of_app_by_class
    where app_id ${sql.raw(side)} app.id order by app_id ${order} limit ${sql.lit(eventsOfPage)}))`;
}
