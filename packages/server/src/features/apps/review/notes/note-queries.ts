import { ForeignPosition, isUpper, listPage, type PageOfRows, type PageRequest } from '../../../../storage/page.ts';
import { type Connection, change, find, insert } from '../../../../storage/query.ts';
import { columns, type ReviewNoteRow } from '../../../../storage/tables.ts';

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

export const deleteNote = change((db, { id }: { id: string }) => db.deleteFrom('review_notes').where('id', '=', id));

export const deleteNotesOfApp = change((db, { appId }: { appId: string }) =>
  db.deleteFrom('review_notes').where('app_id', '=', appId),
);
