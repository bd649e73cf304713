import { type RawBuilder, sql } from 'kysely';
import { type Connection, defineChange, defineFind, defineInsert, type Reader } from '../../../storage/query.ts';
import { changesToApproved } from '../../../storage/request-lookups.ts';
import {
  keysInRanges,
  listPage,
  type PageOfRows,
  type PageRequest,
  type Position,
  type Sorting,
} from '../../../storage/row-pages.ts';
import { columns, type DecisionRow, type ReviewClaimRow, type ReviewNoteRow } from '../../../storage/tables.ts';
import type { AppRowWithSetting } from '../app-queries.ts';

export const insertDecision = defineInsert('decisions');

/** The last decision about an app. */
export const findLastDecision = defineFind((db, { appId }: { appId: string }) =>
  db
    .selectFrom('decisions')
    .select(columns.decisions)
    .where('app_id', '=', appId)
    // By the whole index, so that no engine scans all decisions by their key.
    .orderBy('app_id', 'desc')
    .orderBy('event_id', 'desc')
    .limit(1),
);

/** The last rejection of a change of an app. */
export const findLastRejectedChange = defineFind((db, { appId }: { appId: string }) =>
  db
    .selectFrom('decisions')
    .select(columns.decisions)
    .where('app_id', '=', appId)
    .where('step', '=', 'reject-change')
    .orderBy('app_id', 'desc')
    .orderBy('event_id', 'desc')
    .limit(1),
);

/** The last decision about each of these apps. */
export async function listLastDecisions(connection: Reader, appIds: string[]): Promise<DecisionRow[]> {
  if (appIds.length === 0) return [];
  const last = sql<string>`(select event_id from decisions where app_id = apps.id order by app_id desc, event_id desc limit 1)`;
  const ids = connection.builder.selectFrom('apps').select(last.as('event_id')).where('id', 'in', appIds);
  const decisions = connection.builder.selectFrom('decisions').select(columns.decisions).where('event_id', 'in', ids);
  return connection.rows(decisions.compile());
}

/** A page of the decisions about an app. Throws `ForeignPosition`. */
export async function listDecisionPage(
  connection: Connection,
  { appId }: { appId: string },
  { sorting, ...request }: PageRequest & { sorting: Sorting<'decided_at' | 'event_id'> },
): Promise<PageOfRows<DecisionRow>> {
  const ofApp = { table: 'decisions', key: 'event_id', leading: ['app_id'], ranges: [[appId]], ...sorting } as const;
  const query = connection.builder
    .selectFrom('decisions')
    .select(columns.decisions)
    .where('event_id', 'in', keysInRanges(ofApp, request));
  return listPage(connection, { query, ...sorting }, request);
}

export const deleteDecisionsOfApp = defineChange((db, { appId }: { appId: string }) =>
  db.deleteFrom('decisions').where('app_id', '=', appId),
);

export const insertNote = defineInsert('review_notes');

export const findNote = defineFind((db, { id }: { id: string }) =>
  db.selectFrom('review_notes').select(columns.review_notes).where('id', '=', id),
);

/** Inside a write: the note, locked until the write ends. */
export const findNoteForUpdate = defineFind((db, { id }: { id: string }) =>
  db.selectFrom('review_notes').select(columns.review_notes).where('id', '=', id).forUpdate(),
);

/** A page of the notes about an app. Throws `ForeignPosition`. */
export async function listNotePage(
  connection: Connection,
  { appId }: { appId: string },
  { sorting, ...request }: PageRequest & { sorting: Sorting<'created_at' | 'id'> },
): Promise<PageOfRows<ReviewNoteRow>> {
  const ids = keysInRanges({ table: 'review_notes', leading: ['app_id'], ranges: [[appId]], ...sorting }, request);
  const query = connection.builder.selectFrom('review_notes').select(columns.review_notes).where('id', 'in', ids);
  return listPage(connection, { query, ...sorting }, request);
}

export const deleteNoteRow = defineChange((db, { id }: { id: string }) =>
  db.deleteFrom('review_notes').where('id', '=', id),
);

export const deleteNotesOfApp = defineChange((db, { appId }: { appId: string }) =>
  db.deleteFrom('review_notes').where('app_id', '=', appId),
);

export const findClaim = defineFind((db, { appId }: { appId: string }) =>
  db.selectFrom('review_claims').select(columns.review_claims).where('app_id', '=', appId),
);

/** The claims on these apps. */
export async function listClaims(reader: Reader, appIds: string[]): Promise<ReviewClaimRow[]> {
  const query = reader.builder.selectFrom('review_claims').select(columns.review_claims).where('app_id', 'in', appIds);
  return appIds.length === 0 ? [] : reader.rows(query.compile());
}

/** Who looks at these apps. */
export async function listPresence(reader: Reader, appIds: string[]): Promise<ReviewClaimRow[]> {
  const query = reader.builder
    .selectFrom('review_presence')
    .select(columns.review_presence)
    .where('app_id', 'in', appIds)
    .orderBy('app_id')
    .orderBy('actor');
  return appIds.length === 0 ? [] : reader.rows(query.compile());
}

export const findPresence = defineFind((db, { actor }: { actor: string }) =>
  db.selectFrom('review_presence').select(columns.review_presence).where('actor', '=', actor),
);

/** Moves a reviewer to an app. */
export const storePresence = defineChange((db, { actor, app_id, claimed_at, expires_at }: ReviewClaimRow) =>
  db
    .insertInto('review_presence')
    .values({ actor, app_id, claimed_at, expires_at })
    .onConflict((conflict) => conflict.column('actor').doUpdateSet({ app_id, claimed_at, expires_at })),
);

/** Deletes what ended at or before a time. */
export const deletePresenceUntil = defineChange((db, { time }: { time: number }) =>
  db.deleteFrom('review_presence').where('expires_at', '<=', time),
);

export const insertClaim = defineInsert('review_claims');

export const deleteClaim = defineChange((db, { appId }: { appId: string }) =>
  db.deleteFrom('review_claims').where('app_id', '=', appId),
);

/** Deletes the claims that expired at or before a time. */
export const deleteClaimsUntil = defineChange((db, { time }: { time: number }) =>
  db.deleteFrom('review_claims').where('expires_at', '<=', time),
);

/** Exactly as in the index `apps_waiting`, so that both engines recognise it. */
const isWaiting = sql<boolean>`waiting_since > 0`;

/** When the app that has waited longest began to, and the number of waiting apps up to `countMax`. */
export const findFirstWaiting = defineFind((db, { countMax }: { countMax: number }) => {
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
export const findWaitingAt = defineFind((db, { place }: { place: number }) =>
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

/** Submissions of apps that were never approved. */
const isNew = sql<boolean>`review_status = 'AWAITING_REVIEW' and approved_revision is null`;

/** The claims of one actor that end between two times. */
export interface ClaimFilter {
  actor: string;
  after: number;
  until: number;
}

/** Which of the apps in the queue to list. */
export interface QueueFilter {
  kind?: keyof typeof isOfKind | undefined;
  isNew?: boolean | undefined;
  developerId?: string | undefined;
  claims?: ClaimFilter | undefined;
}

export interface QueueRequest extends QueueFilter, PageRequest {
  sorting: Sorting<(typeof queueOrder)[number]>;
}

export const queueOrder = ['waiting_since', 'id'] as const;

function conditionsOf(filter: QueueFilter): RawBuilder<boolean>[] {
  const { kind, developerId, claims } = filter;
  return [
    ...(kind ? [isOfKind[kind]] : []),
    ...(filter.isNew === undefined ? [] : [filter.isNew ? isNew : sql<boolean>`not (${isNew})`]),
    ...(developerId === undefined ? [] : [sql<boolean>`developer_id = ${developerId}`]),
    ...(claims
      ? [
          sql<boolean>`id in (
            select app_id from review_claims
            where actor = ${claims.actor} and expires_at > ${claims.after} and expires_at <= ${claims.until})`,
        ]
      : []),
  ];
}

/** A page of the review queue. Throws `ForeignPosition`. */
export async function listReviewQueuePage(
  connection: Connection,
  { sorting, limit, position, ...filter }: QueueRequest,
): Promise<PageOfRows<AppRowWithSetting>> {
  let query = connection.builder.selectFrom('apps').select(columns.apps).select(changesToApproved);
  for (const condition of conditionsOf(filter)) query = query.where(condition);
  return listPage(connection, { query, ...sorting, indexed: isWaiting }, { limit, position });
}

/** Where the page after this row starts. */
export function positionAfter(row: AppRowWithSetting): Position {
  return { side: 'after', values: queueOrder.map((column) => String(row[column])) };
}

/** How many apps at one end of the queue were looked at, how many of them match each filter, and since when they wait. */
interface CountedEnd {
  counted: number;
  matching: number[];
  first: number | null;
  last: number | null;
}

/** Counts the apps that match filters among the first ones of the queue between two bounds, or the last ones. */
export async function countQueueEnd(
  reader: Reader,
  {
    filters,
    sorting,
    limit,
    fromEnd,
  }: Pick<QueueRequest, 'sorting' | 'limit'> & { filters: QueueFilter[]; fromEnd: boolean },
): Promise<CountedEnd> {
  const each = filters.map((filter, at) => ({ name: sql.ref(`matches_${at}`), conditions: conditionsOf(filter) }));
  const matches = each.map(({ name, conditions }) =>
    conditions.length === 0
      ? sql`1 as ${name}`
      : sql`case when ${sql.join(conditions, sql` and `)} then 1 else 0 end as ${name}`,
  );
  const sums = each.map(({ name }) => sql`coalesce(sum(${name}), 0) as ${name}`);
  const direction = sql.raw(fromEnd ? 'desc' : 'asc');
  const query = sql<Record<string, number> & Omit<CountedEnd, 'matching'>>`
    select count(*) as counted, min(waiting_since) as first, max(waiting_since) as last, ${sql.join(sums)}
    from (
      select waiting_since, ${sql.join(matches)} from apps where ${within(sorting)} ${isWaiting}
      order by waiting_since ${direction}, id ${direction} limit ${limit}) as one_end`;
  const [row] = await reader.rows(query.compile(reader.builder));
  const { counted = 0, first = null, last = null } = row ?? {};
  return { counted, first, last, matching: filters.map((_, at) => row?.[`matches_${at}`] ?? 0) };
}

function within({ from, until }: QueueRequest['sorting']): RawBuilder<unknown> {
  const after = from ? sql`(waiting_since, id) > (${sql.join(from)}) and` : sql``;
  return until ? sql`${after} (waiting_since, id) < (${sql.join(until)}) and` : after;
}

/** Counts the apps of the queue that match a filter by claims, up to a limit. */
export async function countClaimed(
  reader: Reader,
  { sorting, limit, ...filter }: Omit<QueueRequest, 'position'>,
): Promise<number> {
  const conditions = sql.join([...conditionsOf(filter), isWaiting], sql` and `);
  const query = sql<{ counted: number }>`
    select count(*) as counted from (select id from apps where ${within(sorting)} ${conditions} limit ${limit}) as claimed`;
  const [row] = await reader.rows(query.compile(reader.builder));
  return row?.counted ?? 0;
}
