import { sql } from 'kysely';
import { ForeignPosition, listPage, type PageOfRows, type PageRequest } from '../page.ts';
import { type Connection, find } from '../query.ts';
import { columns } from '../tables.ts';
import type { AppRowWithMode } from './apps.ts';
import { changesToApproved } from './platform-apps.ts';

/** Before any time. Without a bound, SQLite would search another index than `apps_in_review`, and sort. */
const beforeAllTimes = '-999999999999999';

/** Exactly as in the index, so that both engines recognise it. */
const isInReview = sql<boolean>`review_status = 'AWAITING_REVIEW'`;

/** The first app in review, and the number of apps in review up to `countMax`. */
export const findFirstInReview = find((db, { countMax }: { countMax: number }) => {
  const waiting = db
    .selectFrom('apps')
    .where(isInReview)
    .where(sql<boolean>`(submitted_at, id) > (${sql.raw(beforeAllTimes)}, '')`)
    .orderBy('submitted_at')
    .orderBy('id');
  const counted = waiting.select('id').limit(countMax).as('counted');
  return waiting
    .select(['submitted_at', 'updated_at'])
    .select((apps) =>
      apps
        .selectFrom(counted)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .as('waiting'),
    )
    .limit(1);
});

/** A page of the apps in review, in order of submission. Throws `ForeignPosition`. */
export async function listReviewQueuePage(
  connection: Connection,
  request: PageRequest,
): Promise<PageOfRows<AppRowWithMode>> {
  if (!isQueuePosition(request.position?.values)) throw new ForeignPosition();
  const query = connection.builder.selectFrom('apps').select(columns.apps).select(changesToApproved).where(isInReview);
  return listPage(connection, { query, order: ['submitted_at', 'id'], from: [beforeAllTimes, ''] }, request);
}

/** PostgreSQL throws for a time that is not a number. */
function isQueuePosition(values: string[] | undefined): boolean {
  return values === undefined || /^-?\d{1,15}$/.test(values[0] ?? '');
}
