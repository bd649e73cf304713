import Type from 'typebox';
import { appNotFound, Failure } from '../../../kernel/failure.ts';
import { write } from '../../../kernel/idempotency.ts';
import { isTypeId, NoteId, newId, requireAppId } from '../../../kernel/ids.ts';
import { byId, operation } from '../../../kernel/operation.ts';
import { pageOf, pageParameters, readPage, sortingOf, sortParameter, timeParameters } from '../../../kernel/page.ts';
import { allows, type Registry } from '../../../kernel/registry.ts';
import { entityTag, requireUnchanged } from '../../../kernel/revision.ts';
import { DateTime, dateTime, EntityTag, optional } from '../../../kernel/text.ts';
import type { ReviewNoteRow } from '../../../storage/tables.ts';
import { namesOfActors } from '../../access/actor-names.ts';
import { findApp } from '../app-queries.ts';
import { lockApp } from '../change-app.ts';
import { deleteNoteRow, findNote, findNoteForUpdate, insertNote, listNotePage } from './review-queries.ts';

const path = '/operator/v1/apps/:id/notes';
/** A portal may show developers all that it reads. */
const notScope = 'portal';

const NoteText = Type.String({
  minLength: 1,
  maxLength: 2000,
  format: 'reason',
  examples: ['The same sender as last week: look at the host of the callback URL.'],
});

/** What a reviewer has written about an app for the others. */
const ReviewNote = Type.Object(
  {
    id: NoteId,
    text: Type.String(),
    actor: Type.String({ description: 'The actor who wrote it, as in events.' }),
    actorName: Type.Optional(Type.String({ description: 'The name of the actor, if known.' })),
    createdAt: DateTime,
    etag: EntityTag,
  },
  { $id: 'ReviewNote', description: 'An internal note of reviewers about an app.' },
);
export type ReviewNote = Type.Static<typeof ReviewNote>;

/** The request to write one. */
const NewReviewNote = Type.Object({ text: NoteText }, { $id: 'NewReviewNote', additionalProperties: false });

const ReviewNoteQuery = Type.Object(
  { ...sortParameter(['createdAt'], '-createdAt'), ...timeParameters('`createdAt`'), ...pageParameters },
  { additionalProperties: false },
);

const listAppNotes = operation({
  id: 'listAppNotes',
  method: 'GET',
  path,
  summary: 'List the internal notes about an app',
  scope: 'read',
  notScope,
  query: ReviewNoteQuery,
  response: pageOf(ReviewNote, 'ReviewNote'),
  refusals: ['app_not_found'],
  command: {
    name: 'app list-notes',
    description: 'List the internal notes of reviewers about an app, newest first by default.',
    arguments: { id: 'the app id' },
    columns: ['id', 'createdAt', 'actor', 'text'],
    examples: ['app-registry app list-notes app_01jq3v9y6ae0xv5m6b7k8c9d0e'],
  },
  async run({ registry, params: { id: appId }, query }) {
    requireAppId(appId);
    const { reader } = registry.storage;
    if (!(await findApp(reader, { id: appId }))) throw appNotFound();
    const sorting = sortingOf(query, { createdAt: ['created_at', 'id'] }, '-createdAt');
    return readPage(query, {
      name: `notes ${appId}`,
      byDefault: '-createdAt',
      read: async (request) => {
        const page = await listNotePage(reader, { appId }, { ...request, sorting });
        return { ...page, rows: await noteViews(registry, page.rows) };
      },
      view: (note) => note,
    });
  },
});

const getAppNote = operation({
  id: 'getAppNote',
  method: 'GET',
  path: `${path}/:noteId`,
  summary: 'Get an internal note about an app',
  scope: 'read',
  notScope,
  response: ReviewNote,
  refusals: ['app_not_found', 'note_not_found'],
  command: {
    name: 'app get-note',
    description: 'Print an internal note of reviewers about an app.',
    arguments: { id: 'the app id', noteId: '<note> the note id, as listed by "app list-notes"' },
    examples: ['app-registry app get-note app_01jq3v9y6ae0xv5m6b7k8c9d0e note_01jq3w6p4me8xv1c3y9r5q2f7g'],
  },
  async run({ registry, params: { id: appId, noteId } }) {
    requireAppId(appId);
    const { reader } = registry.storage;
    if (!(await findApp(reader, { id: appId }))) throw appNotFound();
    return noteView(
      registry,
      requireNoteOf(appId, noteId, isTypeId(noteId, 'note') && (await findNote(reader, { id: noteId }))),
    );
  },
});

const createAppNote = operation({
  id: 'createAppNote',
  method: 'POST',
  path,
  summary: 'Add an internal note about an app',
  description:
    'The note is for reviewers: it is not sent to the developer or recorded in events. It is kept while a deleted app can be restored.',
  scope: 'review',
  notScope,
  body: NewReviewNote,
  creates: true,
  response: ReviewNote,
  refusals: ['app_not_found'],
  command: {
    name: 'app create-note',
    description:
      'Add an internal note about an app for reviewers. It is not sent to the developer or recorded in events.',
    arguments: { id: 'the app id' },
    options: { text: '<text> the note' },
    recordsEvent: false,
    examples: ['app-registry app create-note app_01jq3v9y6ae0xv5m6b7k8c9d0e --text "The same sender as last week."'],
  },
  async run({ registry, caller, params: { id: appId }, body: { text } }) {
    const row = await write(registry, caller, async (transaction) => {
      await lockApp(transaction, appId);
      const note = { id: newId('note'), app_id: appId, text, actor: caller.actor, created_at: registry.now() };
      await insertNote(transaction, note);
      return note;
    });
    return noteView(registry, row);
  },
});

const deleteAppNote = operation({
  id: 'deleteAppNote',
  method: 'DELETE',
  path: `${path}/:noteId`,
  summary: 'Delete an internal note about an app',
  description: 'Deletes your own note, or any note with the scope `admin`.',
  scope: 'review',
  notScope,
  ifMatch: true,
  response: ReviewNote,
  refusals: ['app_not_found', 'note_not_found'],
  command: {
    name: 'app delete-note',
    description: 'Delete a note about an app. Prints the deleted note.',
    arguments: { id: 'the app id', noteId: '<note> the note id, as listed by "app list-notes"' },
    recordsEvent: false,
    examples: ['app-registry app delete-note app_01jq3v9y6ae0xv5m6b7k8c9d0e note_01jq3w6p4me8xv1c3y9r5q2f7g'],
  },
  async run({ registry, caller, scopes, params: { id: appId, noteId }, ...call }) {
    const row = await write(registry, caller, async (transaction) => {
      await lockApp(transaction, appId);
      const found = isTypeId(noteId, 'note') && (await findNoteForUpdate(transaction, { id: noteId }));
      const note = requireNoteOf(appId, noteId, found);
      if (note.actor !== caller.actor && !allows(scopes, 'admin')) throw notYours();
      requireUnchanged('note', entityTag(note), call);
      await deleteNoteRow(transaction, { id: noteId });
      return note;
    });
    return noteView(registry, row);
  },
});

/** What reviewers write about an app for each other. */
export const reviewNoteOperations = byId(listAppNotes, createAppNote, getAppNote, deleteAppNote);

function requireNoteOf(appId: string, id: string, note: ReviewNoteRow | null | false): ReviewNoteRow {
  if (note && note.app_id === appId) return note;
  throw new Failure('note_not_found', `The app has no note with the id ${id}. Check the id.`);
}

function notYours(): Failure {
  return new Failure(
    'insufficient_scope',
    'Another reviewer has written this note. Only they can delete it, or a token with the scope "admin".',
  );
}

/** Notes with the names of who has written them. */
async function noteViews(registry: Registry, rows: ReviewNoteRow[]): Promise<ReviewNote[]> {
  const names = await namesOfActors(
    registry,
    rows.map(({ actor }) => actor),
  );
  return rows.map((row) => {
    const { id, text, actor, created_at: createdAt } = row;
    const actorName = names.get(actor) ?? null;
    return { id, text, actor, ...optional({ actorName }), createdAt: dateTime(createdAt), etag: entityTag(row) };
  });
}

async function noteView(registry: Registry, row: ReviewNoteRow): Promise<ReviewNote> {
  const [view] = await noteViews(registry, [row]);
  return view as ReviewNote;
}
