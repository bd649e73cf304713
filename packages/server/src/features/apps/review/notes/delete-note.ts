import { Failure } from '../../../../kernel/failure.ts';
import type { Caller, Registry } from '../../../../kernel/registry.ts';
import { isTypeId } from '../../../../kernel/type-id.ts';
import { lockApp } from '../../store-app.ts';
import { deleteNote as deleteNoteRow, findNoteForUpdate } from './note-queries.ts';
import { noteView } from './note-view.ts';
import type { ReviewNote } from './review-note.ts';

interface DeletedNote {
  appId: string;
  noteId: string;
  /** Whether the caller may delete the notes of others too. */
  ofAnyone: boolean;
}

/** Deletes a note about an app, and returns it. Refuses with `app_not_found`, `note_not_found` or `insufficient_scope`. */
export async function deleteNote(
  registry: Registry,
  { actor }: Caller,
  { appId, noteId, ofAnyone }: DeletedNote,
): Promise<ReviewNote> {
  const row = await registry.storage.write(async (transaction) => {
    await lockApp(transaction, appId);
    const note = isTypeId(noteId, 'note') ? await findNoteForUpdate(transaction, { id: noteId }) : null;
    if (note?.app_id !== appId) throw noteNotFound(noteId);
    if (note.actor !== actor && !ofAnyone) throw notYours();
    await deleteNoteRow(transaction, { id: noteId });
    return note;
  });
  return noteView(registry, row);
}

function noteNotFound(id: string): Failure {
  return new Failure('note_not_found', `The app has no note with the id ${id}. Check the id.`);
}

function notYours(): Failure {
  return new Failure(
    'insufficient_scope',
    'Another reviewer has written this note. Only they can delete it, or a token with the scope "admin".',
  );
}
