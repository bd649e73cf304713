import { changedApp, ids } from './fixture-objects.ts';
import type { Given, OperationFixtures } from './operation-fixture.ts';

const reason = 'It is the name of another product.';
const body = { message: reason };
const later = '2099-01-01T00:00:00.000Z';
const hold: Given = ['updateSettings', { query: { existing: 'hold' }, body: { changesToApproved: 'hold' } }];
const create = (name: string): Given => ['createApp', { body: { developerId: ids.ada, name } }];
const [rejected, rejectedInDetail] = [changedApp(), changedApp()];
const update: Given = ['updateApp', { id: rejected, body: { name: 'Newer' } }];

/** Settings, and operations that need one. They run last, because a setting is in effect for the whole registry. */
export const settingFixtures = {
  updateSettings: {
    done: [
      { query: { existing: 'hold' }, body: { changesToApproved: 'hold' }, revision: 1 },
      { body: { changesToApproved: 'live' } },
      { body: { uniqueNames: false } },
      { body: { reviewTargetHours: 24 } },
    ],
    refused: {
      invalid_content: { body: { uniqueNames: 'maybe' } },
      precondition_failed: { body: { uniqueNames: true }, revision: 1 },
      names_shared: { given: [create('Shared'), create('Shared')], body: { uniqueNames: true } },
      changes_undecided: { body: { changesToApproved: 'hold' } },
    },
  },
  getSettings: { done: [{}] },
  listReviewQueue: {
    done: [
      { query: { limit: 1, withTotal: true } },
      { query: { cursor: 'nextCursor' } },
      { given: [hold], query: { kind: 'change', developerId: ids.ada, sort: '-waitingSince', view: 'full' } },
      { query: { since: '2020-01-01T00:00:00.000Z', until: later, hasWarnings: true } },
      { query: { hasWarnings: false } },
      { query: { isNew: true, claimedBy: 'me' } },
      { query: { isNew: false, claimedBy: 'me', withTotal: true } },
    ],
  },
  getReviewQueueCounts: { done: [{}] },
  rejectAppChange: {
    done: [
      { given: [hold, update], id: rejected, revision: 2, body },
      {
        id: rejectedInDetail,
        revision: 2,
        body: {
          message: reason,
          code: 'misleading',
          fields: [{ pointer: '/name', message: 'It misleads.' }],
          note: 'Ask the other developer.',
        },
      },
    ],
    refused: {
      review_status_conflict: { id: ids.approved, revision: 1, body },
      revision_archived: { id: ids.archivedChange, revision: 2, body },
      invalid_content: { id: rejected, revision: 3, body: { message: '' } },
      revision_mismatch: { id: rejected, revision: 9, body },
    },
  },
} satisfies OperationFixtures;
