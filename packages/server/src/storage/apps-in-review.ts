import { sql } from 'kysely';
import { find } from './query.ts';

/** The first of the apps that await review, and how many do, of which no more than so many are counted. */
export const findFirstInReview = find((db, { countMax }: { countMax: number }) => {
  const waiting = db
    .selectFrom('apps')
    // As the index has it, and from its beginning: SQLite would rather search another one and sort.
    .where(sql<boolean>`review_status = 'AWAITING_REVIEW' and (submitted_at, id) > (-999999999999999, '')`)
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
