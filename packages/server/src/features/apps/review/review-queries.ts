import { sql } from 'kysely';
import { ForeignPosition, isUpper, listPage, type PageOfRows, type PageRequest } from '../../../storage/page.ts';
import { type Connection, change, find, insert } from '../../../storage/query.ts';
import type { Reader } from '../../../storage/statement.ts';
import { columns, type DecisionRow, type ReviewClaimRow, type ReviewNoteRow } from '../../../storage/tables.ts';

export const insertDecision = insert('decisions');

/** The last decision about an app. */
export const findLastDecision = find((db, { appId }: { appId: string }) =>
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
export const findLastRejectedChange = find((db, { appId }: { appId: string }) =>
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

/** A page of the decisions about an app, newest first. Throws `ForeignPosition`. */
export async function listDecisionPage(
  connection: Connection,
  { appId }: { appId: string },
  request: PageRequest,
): Promise<PageOfRows<DecisionRow>> {
  const { position } = request;
  if (position && position.values[0] !== appId) throw new ForeignPosition();
  let query = connection.builder.selectFrom('decisions').select(columns.decisions);
  // A range, not an equality, with which PostgreSQL would drop the column from the order and might scan all decisions.
  if (!position || !isUpper(position, true)) query = query.where('app_id', '<=', appId);
  return listPage(connection, { query, order: ['app_id', 'event_id'], descending: true, from: [appId, ''] }, request);
}

export const deleteDecisionsOfApp = change((db, { appId }: { appId: string }) =>
  db.deleteFrom('decisions').where('app_id', '=', appId),
);

export const insertNote = insert('review_notes');

/** Inside a write: the note, locked until the write ends. */
export const findNoteForUpdate = find((db, { id }: { id: string }) =>
  db.selectFrom('review_notes').select(columns.review_notes).where('id', '=', id).forUpdate(),
);

/** A page of the notes about an app, newest first. Throws `ForeignPosition`. */
export async function listNotePage(
  connection: Connection,
  { appId }: { appId: string },
  request: PageRequest,
): Promise<PageOfRows<ReviewNoteRow>> {
  const { position } = request;
  if (position && position.values[0] !== appId) throw new ForeignPosition();
  let query = connection.builder.selectFrom('review_notes').select(columns.review_notes);
  // A range, not an equality, with which PostgreSQL would drop the column from the order and might scan all notes.
  if (!position || !isUpper(position, true)) query = query.where('app_id', '<=', appId);
  return listPage(connection, { query, order: ['app_id', 'id'], descending: true, from: [appId, ''] }, request);
}

export const deleteNoteRow = change((db, { id }: { id: string }) => db.deleteFrom('review_notes').where('id', '=', id));

export const deleteNotesOfApp = change((db, { appId }: { appId: string }) =>
  db.deleteFrom('review_notes').where('app_id', '=', appId),
);

export const findClaim = find((db, { appId }: { appId: string }) =>
  db.selectFrom('review_claims').select(columns.review_claims).where('app_id', '=', appId),
);

/** The claims on these apps. */
export async function listClaims(reader: Reader, appIds: string[]): Promise<ReviewClaimRow[]> {
  const query = reader.builder.selectFrom('review_claims').select(columns.review_claims).where('app_id', 'in', appIds);
  return appIds.length === 0 ? [] : reader.rows(query.compile());
}

export const insertClaim = insert('review_claims');

export const deleteClaim = change((db, { appId }: { appId: string }) =>
  db.deleteFrom('review_claims').where('app_id', '=', appId),
);

/** Deletes the claims that expired at or before a time. */
export const deleteClaimsUntil = change((db, { time }: { time: number }) =>
  db.deleteFrom('review_claims').where('expires_at', '<=', time),
);
