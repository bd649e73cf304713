import { app, ids } from './fixture-objects.ts';
import type { Given, OperationFixtures } from './operation-fixture.ts';

const longAgo = '2024-01-01T00:00:00.000Z';
const noRequest = '01957a3c-6f0e-7cc2-9b1d-2f4f0f6d3a11';
const appId = app({ name: 'Eventful' });
const update = (body: Record<string, unknown>): Given => ['updateApp', { id: appId, body }];
const changes = [
  update({ name: 'Elsewhere Eventful', oauthInfo: { callbackUrl: 'https://eventful.example/back' } }),
  update({ name: 'Event' }),
];

/** Of a different registry. */
const foreignCursor = Buffer.from(JSON.stringify(['00000000', 0, 'event_01jq3w4m2je6vs9a1w7p3n0d5e'])).toString(
  'base64url',
);

export const eventFixtures = {
  listEvents: {
    done: [
      { given: changes, query: { appId, limit: 1 } },
      { query: { appId, cursor: 'nextCursor' } },
      { query: { appId, field: 'oauthInfo.callbackUrl' } },
      { query: { field: 'name', contains: 'E', newestFirst: true, limit: 2 } },
      { query: { field: 'name', contains: 'E', newestFirst: true, cursor: 'nextCursor' } },
      { query: { contains: 'example.com', since: longAgo, workspaces: true } },
      // The import was a command in each registry.
      { query: { actor: 'command-line:seed', actors: true, limit: 3 } },
      { query: { types: 'app.created', about: ids.ada, newestFirst: true, limit: 1 } },
      { query: { effectiveOnly: true, limit: 3 } },
      { query: { requestId: noRequest, until: longAgo } },
    ],
    refused: {
      invalid_content: [
        { query: { types: 'app.made', until: 'yesterday' } },
        { query: { appId: 'draft', since: 'yesterday' } },
        { query: { field: 'name', contains: '' } },
        { query: { appId, actor: 'maintenance' } },
      ],
    },
  },
  readEventFeed: {
    done: [
      { given: changes, query: { appId, types: 'app.created,app.updated', limit: 1 } },
      { query: { appId, after: 'nextCursor' } },
      // So old that it is not a time at which one of them has begun.
      { query: { after: longAgo, effectiveOnly: true, limit: 3 } },
      { query: { after: 'now', wait: 1 } },
    ],
    refused: {
      invalid_content: { query: { after: 'yesterday', appId: 'draft' } },
      cursor_expired: { query: { after: foreignCursor } },
    },
  },
  getOverview: { done: [{}] },
  getStatistics: { done: [{}] },
  search: {
    done: [{ query: { q: 'event ful', limit: 1 } }],
    refused: { invalid_content: { query: { q: 'example', limit: 21 } } },
  },
} satisfies OperationFixtures;
