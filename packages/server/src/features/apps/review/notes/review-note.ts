import Type from 'typebox';
import { NoteId } from '../../../../kernel/ids.ts';
import { pageParameters } from '../../../../kernel/page-parameters.ts';
import { DateTime } from '../../../../kernel/text.ts';

const NoteText = Type.String({
  minLength: 1,
  maxLength: 2000,
  format: 'reason',
  examples: ['The same sender as last week: look at the host of the callback URL.'],
});

/** What a reviewer has written about an app for the others. */
export const ReviewNote = Type.Object(
  {
    id: NoteId,
    text: Type.String(),
    actor: Type.String({ description: 'The actor who wrote it, as in events.' }),
    actorName: Type.Optional(Type.String({ description: 'The name of the actor, if known.' })),
    createdAt: DateTime,
  },
  { $id: 'ReviewNote', description: 'An internal note of reviewers about an app.' },
);
export type ReviewNote = Type.Static<typeof ReviewNote>;

/** The request to write one. */
export const NewReviewNote = Type.Object({ text: NoteText }, { $id: 'NewReviewNote', additionalProperties: false });
export type NewReviewNote = Type.Static<typeof NewReviewNote>;

/** The query of a page of the notes about an app. */
export const ReviewNoteQuery = Type.Object(pageParameters, { additionalProperties: false });
