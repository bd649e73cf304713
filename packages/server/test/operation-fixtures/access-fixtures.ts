import { app, developer, ids, installation, none } from './fixture-objects.ts';
import type { Given, OperationFixtures } from './operation-fixture.ts';

const uuid = '01957a3c-6f0e-7cc2-9b1d-2f4f0f6d3a11';
const otherUuid = '01957a3c-6f0e-7cc2-9b1d-2f4f0f6d3a12';
const longAgo = '2024-01-01T00:00:00.000Z';
const reason = 'The apps send customer data elsewhere.';
const dryRun = { dryRun: true };
const [updated, erased, suspended, leaving] = [developer(), developer(), developer(), developer()];
const suspend: Given = ['suspendDeveloper', { id: suspended, body: { reason } }];
const issue: Given = ['createToken', { body: { kind: 'developer', developerId: leaving } }];

for (const developerId of [updated, erased, suspended]) {
  installation({ appId: app({ developerId, reviewStatus: 'APPROVED' }) });
  app({ developerId, reviewStatus: 'AWAITING_REVIEW' });
}

export const accessFixtures = {
  createDeveloper: {
    done: [
      { body: { email: 'joan@example.com' } },
      { body: { email: 'b@example.com', firstName: 'B', lastName: 'C', id: uuid } },
    ],
    refused: {
      already_exists: { body: { email: 'a@b.example', id: ids.ada } },
      invalid_content: [{ body: { email: 'ada', firstName: '' } }, { body: { email: 'a@b.example', id: 'ada' } }],
    },
  },
  listDevelopers: {
    done: [
      { query: { limit: 2, sort: '-email', withTotal: true } },
      { query: { sort: '-email', cursor: 'nextCursor' } },
      { query: { sort: 'createdAt', since: longAgo, until: longAgo, withTotal: true } },
      { query: { ids: [ids.ada, none.developer], withTotal: true } },
    ],
    refused: {
      invalid_content: [
        { query: { cursor: 'x', limit: 101 } },
        { query: { cursor: 'x' } },
        { query: { ids: [ids.ada, 'ada'], sort: 'email' } },
      ],
    },
  },
  getDeveloper: {
    done: [
      { id: ids.ada },
      { given: [['createDeveloper', { body: { email: 'c@example.com', id: otherUuid } }]], id: otherUuid },
      { id: ids.hostile },
    ],
    refused: { developer_not_found: [{ id: none.developer }, { id: 'ada' }] },
  },
  updateDeveloper: {
    done: [
      { id: updated, body: { email: 'a@example.com', firstName: 'A', lastName: 'L' } },
      { id: updated, body: { firstName: null, lastName: null } },
    ],
    refused: { invalid_content: { id: updated, body: { email: '@', firstName: ' ' } } },
  },
  eraseDeveloper: { done: [{ id: erased, query: dryRun }, { id: erased }] },
  suspendDeveloper: {
    done: [
      { id: suspended, body: { reason }, query: dryRun },
      { id: suspended, body: { reason } },
    ],
    refused: {
      developer_not_found: { id: 'ada', body: { reason } },
      invalid_content: { id: suspended, body: { reason: '' } },
    },
  },
  unsuspendDeveloper: { done: [{ given: [suspend], id: suspended, query: dryRun }, { id: suspended }] },
  revokeDeveloperTokens: { done: [{ given: [issue], id: leaving, query: dryRun }, { id: leaving }] },

  createToken: {
    done: [
      { body: { kind: 'developer', developerId: leaving, updatesPerMinute: 5 } },
      { body: { kind: 'platform', name: 'Shop', expiresIn: 86_400, readsPerMinute: 0 } },
      { body: { kind: 'operator', scopes: ['read', 'review'], requestsPerMinute: 5 } },
    ],
    refused: {
      developer_not_found: { body: { kind: 'developer', developerId: none.developer } },
      invalid_content: [
        {
          body: { kind: 'platform', developerId: ids.ada, scopes: ['read'], updatesPerMinute: 5, requestsPerMinute: 5 },
        },
        { body: { kind: 'platform', name: '', readsPerMinute: 1_000_000_000 } },
      ],
    },
  },
  listTokens: {
    done: [
      { given: [issue, issue], query: { limit: 2, sort: '-expiresAt', withTotal: true } },
      { query: { sort: '-expiresAt', cursor: 'nextCursor' } },
      { query: { developerId: leaving, kind: 'developer' } },
      { query: { sort: 'expiresAt', since: longAgo, until: longAgo } },
    ],
    refused: { invalid_content: { query: { developerId: 'ada' } } },
  },
  getToken: { done: [{ given: [issue], id: 'token#1' }] },
  listTokenChanges: {
    done: [
      { given: [issue], id: 'token#1' },
      { id: 'oidc:ada', query: { since: longAgo, until: longAgo, sort: '-lastAt', limit: 1 } },
    ],
    refused: { invalid_content: { id: 'token#1', query: { since: 'soon', cursor: 'none' } } },
  },
  rotateToken: {
    done: [
      { given: [issue], id: 'token#1' },
      { given: [issue], id: 'token#3', body: { overlap: 0 } },
    ],
    refused: {
      token_not_found: [{ id: 'token' }, { id: none.token }],
      token_ended: { given: [issue, ['revokeToken', { id: 'token#5' }]], id: 'token#5' },
    },
  },
  revokeToken: {
    done: [{ given: [issue], id: 'token#1', query: dryRun }, { id: 'token#1' }],
    refused: { token_not_found: [{ id: 'token' }, { id: none.token, query: dryRun }] },
  },
  getCaller: { done: [{}] },
} satisfies OperationFixtures;
