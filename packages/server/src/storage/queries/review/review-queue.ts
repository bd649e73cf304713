import { sql } from 'kysely';
import { ForeignPosition, listPage, type PageOfRows, type PageRequest } from '../../page.ts';
import { type Connection, find } from '../../query.ts';
import { columns } from '../../tables.ts';
import type { AppRowWithMode } from '../apps.ts';
import { changesToApproved } from '../platform-apps.ts';

/** Exactly as in the index `apps_waiting`, so that both engines recognise it. */
const isWaiting = sql<boolean>`waiting_since > 0`;

/** When the app that has waited longest began to, and the number of waiting apps up to `countMax`. */
export const findFirstWaiting = find((db, { countMax }: { countMax: number }) => {
  const waiting = db.selectFrom('apps').where(isWaiting).orderBy('waiting_since').orderBy('id');
  const counted = waiting.select('id').limit(countMax).as('counted');
  return waiting
    .select('waiting_since')
    .select((apps) =>
      apps
        .selectFrom(counted)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .as('waiting'),
    )
    .limit(1);
});

/** When the app at a place of the queue began to wait; the first one is at 0. */
export const findWaitingAt = find((db, { place }: { place: number }) =>
  db
    .selectFrom('apps')
    .select('waiting_since')
    .where(isWaiting)
    .orderBy('waiting_since')
    .orderBy('id')
    .limit(sql.lit(1))
    .offset(place),
);

/** What awaits a decision of the apps in the queue. */
const isOfKind = {
  submission: sql<boolean>`review_status = 'AWAITING_REVIEW'`,
  transfer: sql<boolean>`review_status <> 'AWAITING_REVIEW' and transfer_since > 0`,
  change: sql<boolean>`review_status <> 'AWAITING_REVIEW' and transfer_since = 0`,
};

interface QueueRequest extends PageRequest {
  kind?: keyof typeof isOfKind | undefined;
  developerId?: string | undefined;
  newestFirst?: boolean | undefined;
}

/** A page of the review queue, longest waiting first, or else newest first. Throws `ForeignPosition`. */
export async function listReviewQueuePage(
  connection: Connection,
  { kind, developerId, newestFirst = false, ...request }: QueueRequest,
): Promise<PageOfRows<AppRowWithMode>> {
  if (!isQueuePosition(request.position?.values)) throw new ForeignPosition();
  let query = connection.builder.selectFrom('apps').select(columns.apps).select(changesToApproved);
  if (kind) query = query.where(isOfKind[kind]);
  if (developerId !== undefined) query = query.where('developer_id', '=', developerId);
  const list = { query, order: ['waiting_since', 'id'], descending: newestFirst, indexed: isWaiting } as const;
  return listPage(connection, list, request);
}

/** PostgreSQL throws for a time that is not a number. */
function isQueuePosition(values: string[] | undefined): boolean {
  return values === undefined || /^-?\d{1,15}$/.test(values[0] ?? '');
}
