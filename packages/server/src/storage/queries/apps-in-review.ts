import { sql } from 'kysely';
import { ForeignPosition, listPage, type PageOfRows, type PageRequest } from '../page.ts';
import { type Connection, find } from '../query.ts';
import { type AppRow, columns } from '../tables.ts';

/** Before every time: without a bound SQLite would rather search another index than `apps_in_review`, and sort. */
const beginning = '-999999999999999';

/** As the index has it: both engines must see that it fits. */
const isInReview = sql<boolean>`review_status = 'AWAITING_REVIEW'`;

/** The first of the apps that await review, and how many do, of which no more than so many are counted. */
export const findFirstInReview = find((db, { countMax }: { countMax: number }) => {
  const waiting = db
    .selectFrom('apps')
    .where(isInReview)
    .where(sql<boolean>`(submitted_at, id) > (${sql.raw(beginning)}, '')`)
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

/** A page of the apps that await review, in the order in which they were submitted. Throws `ForeignPosition`. */
export async function listReviewQueuePage(connection: Connection, request: PageRequest): Promise<PageOfRows<AppRow>> {
  if (!isPlaceInQueue(request.position?.values)) throw new ForeignPosition();
  const query = connection.builder.selectFrom('apps').select(columns.apps).where(isInReview);
  return listPage(connection, { query, order: ['submitted_at', 'id'], from: [beginning, ''] }, request);
}

/** Asked for a time that is no number, PostgreSQL would throw. */
function isPlaceInQueue(values: string[] | undefined): boolean {
  return values === undefined || /^-?\d{1,15}$/.test(values[0] ?? '');
}
