import { pageOf } from '../page.ts';
import { NewReviewNote, ReviewNote, ReviewNoteQuery } from '../review/review-note.ts';
import type { OperatorOperation } from './operation.ts';

const notes = '/operator/v1/apps/:id/notes';
/** A portal may show developers all that it reads. */
const notScope = 'portal';

/** What reviewers write about an app for each other. */
export const reviewNoteOperations = {
  listNotes: {
    method: 'GET',
    path: notes,
    summary: 'List the notes among reviewers about an app, newest first',
    scope: 'read',
    notScope,
    query: ReviewNoteQuery,
    response: pageOf(ReviewNote, 'ReviewNote'),
    refusals: ['app_not_found'],
  },
  addNote: {
    method: 'POST',
    path: notes,
    summary: 'Write a note about an app for other reviewers',
    description: 'No developer and no event receives it. It stays while the app is deleted and can be restored.',
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
    summary: 'Delete a note about an app',
    description: 'The own note; with the scope `admin` any.',
    scope: 'review',
    notScope,
    response: ReviewNote,
    refusals: ['app_not_found', 'note_not_found'],
  },
} as const satisfies Record<string, OperatorOperation>;
