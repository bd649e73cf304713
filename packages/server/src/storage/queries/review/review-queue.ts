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

/** A page of the review queue, longest waiting first. Throws `ForeignPosition`. */
export async function listReviewQueuePage(
  connection: Connection,
  request: PageRequest,
): Promise<PageOfRows<AppRowWithMode>> {
  if (!isQueuePosition(request.position?.values)) throw new ForeignPosition();
  const query = connection.builder.selectFrom('apps').select(columns.apps).select(changesToApproved);
  return listPage(connection, { query, order: ['waiting_since', 'id'], indexed: isWaiting }, request);
}

/** PostgreSQL throws for a time that is not a number. */
function isQueuePosition(values: string[] | undefined): boolean {
  return values === undefined || /^-?\d{1,15}$/.test(values[0] ?? '');
}
