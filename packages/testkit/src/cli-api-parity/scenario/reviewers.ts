import { cli, done, type ParityCase, refused } from '../parity-case.ts';
import { ids } from '../seed.ts';

const noNote = 'note_01jq3w6p4me8xv1c3y9r5q2f7g';
const noTemplate = 'template_01jq3w6p4me8xv1c3y9r5q2f7g';
const id = ids.approved;
const title = 'Callback does not respond';
const message = 'The callback URL does not respond.';

/** What reviewers share. */
export const reviewers: ParityCase[] = [
  done('claimApp', cli`app claim ${id}`, { id }),
  done('getAppAsOperator', cli`app get ${id}`, { id }),
  refused('claimApp app_claimed', cli`app claim ${ids.rejected}`, { id: ids.rejected }),
  refused('claimApp app_not_found', cli`app claim ${ids.noApp}`, { id: ids.noApp }),
  refused('releaseApp app_claimed', cli`app release ${ids.rejected}`, { id: ids.rejected }),
  done('claimApp', cli`app claim ${ids.rejected} --take-over`, { id: ids.rejected, body: { takeOver: true } }),
  done('releaseApp', cli`app release ${ids.rejected}`, { id: ids.rejected }),
  done('releaseApp', cli`app release ${ids.rejected}`, { id: ids.rejected }),
  refused('releaseApp app_not_found', cli`app release ${ids.noApp}`, { id: ids.noApp }),

  done('createNote', cli`app create-note ${id} --text ${'Look at the host.'}`, {
    id,
    body: { text: 'Look at the host.' },
  }),
  done('createNote', cli`app create-note ${id} --text ${'It is theirs.'}`, { id, body: { text: 'It is theirs.' } }),
  refused('createNote invalid_content', cli`app create-note ${id} --text ${' '}`, { id, body: { text: ' ' } }),
  refused('createNote app_not_found', cli`app create-note ${ids.noApp} --text No`, {
    id: ids.noApp,
    body: { text: 'No' },
  }),
  done('listNotes', cli`app list-notes ${id} --limit 1`, { id, query: { limit: '1' } }),
  done('listNotes', cli`app list-notes ${id} --cursor nextCursor`, { id, query: { cursor: 'nextCursor' } }),
  refused('listNotes invalid_content', cli`app list-notes ${id} --limit 0`, { id, query: { limit: '0' } }),
  refused('listNotes app_not_found', cli`app list-notes ${ids.noApp}`, { id: ids.noApp }),
  done('deleteNote', cli`app delete-note ${id} note#1`, { id, item: 'note#1' }),
  refused('deleteNote note_not_found', cli`app delete-note ${id} ${noNote}`, { id, item: noNote }),
  refused('deleteNote app_not_found', cli`app delete-note ${ids.noApp} note#2`, { id: ids.noApp, item: 'note#2' }),

  done(
    'createReasonTemplate',
    cli`reason-template create --title ${title} --message ${message} --code broken_address`,
    {
      body: { title, message, code: 'broken_address' },
    },
  ),
  done('createReasonTemplate', cli`reason-template create --title A --message ${message}`, {
    body: { title: 'A', message },
  }),
  refused(
    'createReasonTemplate invalid_content',
    cli`reason-template create --title A --message ${' '} --code ${'B c'}`,
    {
      body: { title: 'A', message: ' ', code: 'B c' },
    },
  ),
  done('listReasonTemplates', cli`reason-template list --limit 1`, { query: { limit: '1' } }),
  done('listReasonTemplates', cli`reason-template list --cursor nextCursor`, { query: { cursor: 'nextCursor' } }),
  refused('listReasonTemplates invalid_content', cli`reason-template list --limit 0`, { query: { limit: '0' } }),
  done('updateReasonTemplate', cli`reason-template update template#1 --title B --message No. --code spam`, {
    id: 'template#1',
    body: { title: 'B', message: 'No.', code: 'spam' },
  }),
  done('updateReasonTemplate', cli`reason-template update template#1 --no-code`, {
    id: 'template#1',
    body: { code: null },
  }),
  refused('updateReasonTemplate invalid_content', cli`reason-template update template#1 --title ${'\n'}`, {
    id: 'template#1',
    body: { title: '\n' },
  }),
  refused('updateReasonTemplate reason_template_not_found', cli`reason-template update ${noTemplate} --title B`, {
    id: noTemplate,
    body: { title: 'B' },
  }),
  done('deleteReasonTemplate', cli`reason-template delete template#1`, { id: 'template#1' }),
  refused('deleteReasonTemplate reason_template_not_found', cli`reason-template delete ${noTemplate}`, {
    id: noTemplate,
  }),
];
