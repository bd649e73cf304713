import type { Handlers } from '../../../../kernel/handler.ts';
import type { Registry } from '../../../../kernel/registry.ts';
import { allows } from '../../../access/access-token.ts';
import { createNote } from './create-note.ts';
import { deleteNote } from './delete-note.ts';
import { listNotes } from './list-notes.ts';
import type { reviewNoteOperations } from './note-operations.ts';

/** Notes that reviewers write about an app for each other. */
export function reviewNoteHandlers(registry: Registry): Handlers<typeof reviewNoteOperations> {
  return {
    listNotes: ({ params: { id: appId }, query }) => listNotes(registry, { appId, query }),
    createNote: ({ caller, params: { id: appId }, body: note }) => createNote(registry, caller, { appId, note }),
    deleteNote: ({ caller, scopes, params: { id: appId, noteId } }) =>
      deleteNote(registry, caller, { appId, noteId, ofAnyone: allows(scopes, 'admin') }),
  };
}
