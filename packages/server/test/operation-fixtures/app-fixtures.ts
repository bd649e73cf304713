import { type ContentKind, contentUnderPaths, isOptional } from '../../src/features/apps/app-content.ts';
import { app, changedApp, ids, installation, none } from './fixture-objects.ts';
import type { Given, OperationFixtures } from './operation-fixture.ts';

/** A value of each kind; a request gives its own name. */
const values: Record<ContentKind, string | undefined> = {
  name: undefined,
  logo: ids.logo,
  line: 'Short.',
  lines: 'Long.\nLonger.',
  colour: '#123',
  url: 'https://new.example/in',
};
const everyField = contentUnderPaths<never>(({ kind }) => values[kind]);
const noField = contentUnderPaths<null>((field) => (isOptional(field) ? null : undefined));
const invalid = {
  listingInfo: { shortDescription: 'a\nb', backgroundColor: 'red' },
  oauthInfo: { loginUrl: 'http://new.example/' },
};

const longAgo = '2020-01-01T00:00:00.000Z';
const future = '2999-01-01T00:00:00.000Z';
const reason = 'The account was taken over.';
const named = (name: string, developerId: string = ids.ada) => ({ body: { developerId, name } });
const update = (id: string, name: string): Given => ['updateApp', { id, body: { name } }];

const [warned, updated, deleted, listed, listedToo] = [app({ name: 'Warned' }), app(), app(), app(), app()];
const shownDeleted = app();
const [restored, replaced] = [app({ reviewStatus: 'REJECTED' }), app({ name: 'Replaced' })];
const [transferred, transferredDraft] = [app({ reviewStatus: 'APPROVED' }), app()];
const installed = app({ reviewStatus: 'APPROVED' });
installation({ appId: installed });
const [revised, revisedToo, reverted] = [app(), app(), changedApp()];
const [resubmitted, renamed] = [app(), app({ name: 'Renamed' })];

export const appFixtures = {
  createApp: {
    done: [named('Plain', ids.grace), { body: { developerId: ids.ada, name: 'Complete', ...everyField } }],
    refused: {
      developer_not_found: named('New', none.developer),
      name_taken: named('PLAIN'),
      invalid_content: [
        { body: { developerId: ids.ada, name: ' ', ...invalid } },
        { body: { developerId: ids.grace, name: 'New', logoId: ids.logo } },
      ],
    },
  },
  listApps: {
    done: [
      { query: { limit: 3, sort: '-name', withTotal: true } },
      { query: { limit: 3, sort: '-name', cursor: 'nextCursor' } },
      { query: { status: ['APPROVED', 'REJECTED'], developerId: ids.ada, name: 'app' } },
      { query: { changedSinceApproval: true, view: 'full' } },
      { query: { changedSinceApproval: false } },
      { query: { sort: '-updatedAt', since: longAgo, until: future, limit: 3, withTotal: true } },
      { query: { sort: 'createdAt', developerId: ids.ada, status: ['APPROVED'] } },
      { query: { host: 'new.example', status: ['DRAFT'] } },
      { query: { ids: [ids.draft, none.app, ids.approved] } },
      {
        given: [
          ['deleteApp', { id: listed }],
          ['deleteApp', { id: listedToo }],
        ],
        query: { deleted: true, developerId: ids.ada, limit: 1, sort: '-deletedAt', withTotal: true },
      },
      { query: { deleted: true, developerId: ids.ada, sort: '-deletedAt', cursor: 'nextCursor' } },
    ],
    refused: {
      invalid_content: [
        { query: { deleted: true, name: 'a', sort: 'name' } },
        { query: { sort: 'deletedAt' } },
        { query: { since: longAgo } },
        { query: { ids: [ids.draft], sort: 'name' } },
        { query: { host: 'new.example/in' } },
        { query: { name: '', limit: 0 } },
        { query: { developerId: 'ada' } },
      ],
    },
  },
  getApp: {
    done: [
      { id: ids.changed },
      { given: [['createProtectedName', { body: { name: 'Warned' } }]], id: warned },
      { id: ids.hostileApproved },
      { id: ids.claimed },
      { given: [['deleteApp', { id: shownDeleted }]], id: shownDeleted },
    ],
    refused: { app_not_found: [{ id: none.app }, { id: 'app' }] },
  },
  updateApp: {
    done: [
      { id: updated, body: { name: 'Drafted', ...everyField } },
      { id: updated, revision: 2, body: noField },
    ],
    refused: {
      precondition_failed: { id: updated, revision: 2, body: { name: 'X' } },
      app_under_review: { id: ids.awaiting, body: { name: 'X' } },
      name_taken: { id: updated, body: { name: 'approved' } },
      invalid_content: [
        { id: updated, body: { name: '', ...invalid } },
        { id: updated, body: { logoId: none.logo } },
      ],
    },
  },
  deleteApp: {
    done: [
      { id: deleted },
      { id: installed, query: { force: true, dryRun: true } },
      { id: installed, query: { force: true } },
    ],
    refused: { app_not_found: { id: deleted }, app_installed: { id: ids.approved } },
  },
  restoreApp: {
    done: [{ given: [['deleteApp', { id: restored }]], id: restored }],
    refused: {
      app_not_found: { id: restored },
      name_taken: {
        given: [
          ['deleteApp', { id: replaced }],
          ['createApp', named('Replaced')],
        ],
        id: replaced,
      },
    },
  },
  transferApp: {
    done: [
      { id: transferred, body: { developerId: ids.grace } },
      { id: transferredDraft, body: { developerId: ids.grace } },
    ],
    refused: {
      developer_not_found: { id: transferred, body: { developerId: none.developer } },
      developer_suspended: { id: transferred, body: { developerId: ids.hostile } },
      invalid_content: { id: transferred, body: { developerId: 'grace' } },
    },
  },

  listAppRevisions: {
    done: [
      {
        given: [update(revised, 'Second'), update(revised, 'Third')],
        id: revised,
        query: { sort: '-revision', limit: 2 },
      },
      { id: revised, query: { sort: '-revision', cursor: 'nextCursor' } },
      { id: ids.rejected, query: { actors: true } },
      { id: ids.archived },
    ],
  },
  getAppRevision: {
    done: [
      { given: [update(revisedToo, 'Changed')], id: revisedToo, item: '1' },
      { id: revisedToo, item: future },
    ],
    refused: {
      revision_not_found: [
        { id: revisedToo, item: longAgo },
        { id: revisedToo, item: '9' },
      ],
      revision_archived: { id: ids.archived, item: '1' },
    },
  },
  revertApp: {
    done: [
      { id: reverted, revision: 2, body: { toApproved: true, reason } },
      { id: reverted, body: { toApproved: true } },
      { id: reverted, body: { toRevision: 2 } },
    ],
    refused: {
      invalid_content: [
        { id: reverted, body: { toTime: future } },
        { id: reverted, body: { reason } },
        { id: reverted, body: { toApproved: true, toRevision: 0, toTime: 'now' } },
      ],
      precondition_failed: { id: reverted, revision: 2, body: { toApproved: true } },
      revision_not_found: { id: reverted, body: { toTime: longAgo } },
      revision_archived: { id: ids.archived, body: { toRevision: 1 } },
      app_not_approved: { id: ids.rejected, body: { toApproved: true } },
      app_under_review: {
        given: [update(resubmitted, 'Resubmitted'), ['submitApp', { id: resubmitted }]],
        id: resubmitted,
        body: { toRevision: 1 },
      },
      name_taken: {
        given: [update(renamed, 'Elsewhere'), ['createApp', named('Renamed')]],
        id: renamed,
        body: { toRevision: 1 },
      },
    },
  },
} satisfies OperationFixtures;
