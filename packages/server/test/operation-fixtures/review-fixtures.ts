import { app, changedApp, ids, installation, none } from './fixture-objects.ts';
import type { Given, OperationFixtures } from './operation-fixture.ts';

const longAgo = '2020-01-01T00:00:00.000Z';
const reason = 'It sends spam.';
const note = 'The same sender as last week.';
const awaiting = () => app({ reviewStatus: 'AWAITING_REVIEW' });
const everyDetail = (code: string) => ({
  message: reason,
  code,
  fields: [{ pointer: '/name', message: 'It is misleading.' }],
  note,
});
const update = (id: string, name: string): Given => ['updateApp', { id, body: { name } }];
const createAppNote = (id: string): Given => ['createAppNote', { id, body: { text: 'Look at the host.' } }];
const createTemplate = (title: string): Given => ['createReasonTemplate', { body: { title, message: reason } }];
const reject = (id: string): Given => ['rejectApp', { id, revision: 1, body: everyDetail('spam') }];
const protect = (name: string): Given => ['createProtectedName', { body: { name } }];

const [submitted, notSubmitted, withdrawn, notWithdrawn] = [app(), app(), awaiting(), awaiting()];
const [approved, approvedInDetail, rejected, rejectedInDetail, decided, recorded] = [
  awaiting(),
  awaiting(),
  awaiting(),
  awaiting(),
  awaiting(),
  awaiting(),
];
const superseded = app({ reviewStatus: 'APPROVED' });
const revoked = changedApp();
installation({ appId: revoked });
const [claimed, released, noted, listed, unnoted] = [app(), app(), app(), app(), app()];
const shown = app();

export const reviewFixtures = {
  submitApp: {
    done: [{ id: submitted, revision: 1 }],
    refused: {
      precondition_failed: { id: notSubmitted, revision: 9 },
      review_status_conflict: { id: submitted },
      developer_suspended: { id: ids.hostileDraft },
    },
  },
  withdrawApp: {
    done: [{ id: withdrawn }],
    refused: {
      precondition_failed: { id: notWithdrawn, revision: 99 },
      review_status_conflict: { id: withdrawn },
    },
  },
  approveApp: {
    done: [
      { id: approved, revision: 1 },
      { id: approvedInDetail, revision: 1, body: everyDetail('other') },
    ],
    refused: {
      revision_mismatch: { id: ids.awaiting, revision: 2 },
      invalid_content: { id: ids.awaiting, revision: 1, body: { code: 'Not so' } },
      review_status_conflict: { id: approved, revision: 1 },
      revision_archived: { id: ids.archivedChange, revision: 2 },
      name_taken: {
        given: [
          update(superseded, 'Superseded'),
          update(superseded, 'Current'),
          ['createApp', { body: { developerId: ids.grace, name: 'Superseded' } }],
        ],
        id: superseded,
        revision: 2,
      },
      developer_suspended: { id: ids.hostileAwaiting, revision: 1 },
    },
  },
  rejectApp: {
    done: [
      { id: rejected, revision: 1, body: { message: reason } },
      { id: rejectedInDetail, revision: 1, body: everyDetail('spam') },
    ],
    refused: {
      invalid_content: { id: ids.awaiting, revision: 1, body: { message: '' } },
      revision_mismatch: { id: ids.awaiting, revision: 2, body: { message: reason } },
      review_status_conflict: { id: rejected, revision: 1, body: { message: reason } },
    },
  },
  revokeApp: {
    done: [
      { id: revoked, body: { message: reason, disableInstallations: true }, query: { dryRun: true } },
      { id: revoked, body: { disableInstallations: true, ...everyDetail('spam') } },
    ],
    refused: {
      invalid_content: { id: ids.changed, body: { message: ' ' } },
      precondition_failed: { id: ids.changed, revision: 99, body: { message: reason } },
      review_status_conflict: { id: revoked, body: { message: reason } },
    },
  },
  listAppDecisions: {
    done: [
      { id: ids.rejected, query: { actors: true } },
      { given: [reject(decided)], id: decided, query: { limit: 1 } },
      { id: decided, query: { sort: 'decidedAt', since: longAgo, until: longAgo } },
    ],
    refused: { invalid_content: { id: decided, query: { cursor: 'no' } } },
  },
  getDeveloperRecord: { done: [{ given: [reject(recorded)], id: ids.ada }, { id: ids.hostile }] },

  claimApp: {
    done: [
      { id: claimed },
      { id: ids.claimedByOther, body: { takeOver: true } },
      { id: claimed, body: { kind: 'presence' } },
    ],
    refused: {
      app_claimed: { id: ids.claimed },
      invalid_content: { id: claimed, body: { kind: 'presence', takeOver: true } },
    },
  },
  releaseApp: {
    done: [{ given: [['claimApp', { id: released }]], id: released }],
    refused: { app_claimed: { id: ids.claimed } },
  },
  createAppNote: {
    done: [{ id: noted, body: { text: 'Look at the host.' } }],
    refused: { invalid_content: { id: noted, body: { text: ' ' } } },
  },
  listAppNotes: {
    done: [
      { given: [createAppNote(listed), createAppNote(listed)], id: listed, query: { limit: 1 } },
      { id: listed, query: { cursor: 'nextCursor' } },
      { id: listed, query: { sort: 'createdAt', since: longAgo, until: longAgo } },
    ],
  },
  getAppNote: {
    done: [{ given: [createAppNote(shown)], id: shown, item: 'note#1' }],
    refused: {
      note_not_found: { id: shown, item: none.note },
      app_not_found: { id: none.app, item: none.note },
    },
  },
  deleteAppNote: {
    done: [{ given: [createAppNote(unnoted)], id: unnoted, item: 'note#1' }],
    refused: { note_not_found: { id: unnoted, item: none.note } },
  },

  createReasonTemplate: {
    done: [
      { body: { title: 'A', message: reason } },
      { body: { title: 'B', message: reason, code: 'broken_address' } },
    ],
    refused: { invalid_content: { body: { title: 'A', message: ' ', code: 'B c' } } },
  },
  listReasonTemplates: {
    done: [
      { given: [createTemplate('C'), createTemplate('D')], query: { sort: '-title', limit: 1 } },
      { query: { sort: '-title', cursor: 'nextCursor' } },
    ],
  },
  getReasonTemplate: { done: [{ given: [createTemplate('H')], id: 'template#1' }] },
  updateReasonTemplate: {
    done: [
      { given: [createTemplate('E')], id: 'template#1', body: { title: 'F', message: 'No.', code: 'spam' } },
      { id: 'template#1', body: { code: null } },
    ],
    refused: { invalid_content: { id: 'template#1', body: { title: '\n' } } },
  },
  deleteReasonTemplate: { done: [{ given: [createTemplate('G')], id: 'template#1' }] },

  createProtectedName: {
    done: [{ body: { name: 'Acme', developerIds: [ids.grace], note } }, { body: { host: 'approved.example' } }],
    refused: {
      already_exists: { body: { name: 'acme' } },
      invalid_content: [{ body: { host: 'evil.example/path', developerIds: ['no_user'] } }, { body: {} }],
    },
  },
  listProtectedNames: {
    done: [
      { given: [protect('Globex'), protect('Initech')], query: { sort: '-id', limit: 1 } },
      { query: { sort: '-id', cursor: 'nextCursor' } },
    ],
  },
  getProtectedName: {
    done: [{ given: [protect('Soylent')], id: 'protected#1' }],
    refused: { protected_name_not_found: { id: none.protectedName } },
  },
  updateProtectedName: {
    done: [
      { given: [protect('Tyrell')], id: 'protected#1', body: { name: 'Tyrel', developerIds: [ids.grace], note } },
      { id: 'protected#1', body: { host: 'tyrell.example', note: null } },
    ],
    refused: {
      already_exists: { given: [protect('Taken')], id: 'protected#1', body: { name: 'taken' } },
      invalid_content: { id: 'protected#1', body: { host: 'evil.example/path', developerIds: ['no_user'] } },
      protected_name_not_found: { id: none.protectedName, body: { name: 'Nothing' } },
    },
  },
  deleteProtectedName: { done: [{ given: [protect('Umbrella')], id: 'protected#1' }] },
} satisfies OperationFixtures;
