import type { OperatorOperation } from '../../../../kernel/operation-declaration.ts';
import { pageOf } from '../../../../kernel/page-parameters.ts';
import { NewReviewNote, ReviewNote, ReviewNoteQuery } from './review-note.ts';

const notes = '/operator/v1/apps/:id/notes';
/** A portal may show developers all that it reads. */
const notScope = 'portal';

/** What reviewers write about an app for each other. */
export const reviewNoteOperations = {
  listNotes: {
    method: 'GET',
    path: notes,
    summary: 'List the internal notes about an app, newest first',
    scope: 'read',
    notScope,
    query: ReviewNoteQuery,
    response: pageOf(ReviewNote, 'ReviewNote'),
    refusals: ['app_not_found'],
  },
  createNote: {
    method: 'POST',
    path: notes,
    summary: 'Add an internal note about an app',
    description:
      'The note is for reviewers: it is not sent to the developer or recorded in events. It is kept while a deleted app can be restored.',
    scope: 'review',
    notScope,
    body: NewReviewNote,
    creates: true,
    response: ReviewNote,
    refusals: ['app_not_found'],
  },
  deleteNote: {
    method: 'DELETE',
    path: `${notes}/:noteId`,
    summary: 'Delete an internal note about an app',
    description: 'Deletes your own note, or any note with the scope `admin`.',
    scope: 'review',
    notScope,
    response: ReviewNote,
    refusals: ['app_not_found', 'note_not_found'],
  },
} as const satisfies Record<string, OperatorOperation>;
