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
const foreignCursor = Buffer.from(JSON.stringify([1, '00000000', 0, 'event_01jq3w4m2je6vs9a1w7p3n0d5e'])).toString(
  'base64url',
);

export const eventFixtures = {
  listEvents: {
    done: [
      { given: changes, query: { appId, limit: 1 } },
      { query: { appId, cursor: 'nextCursor' } },
      { query: { appId, field: 'oauthInfo.callbackUrl' } },
      { query: { field: 'name', contains: 'E', sort: '-id', limit: 2 } },
      { query: { field: 'name', contains: 'E', sort: '-id', cursor: 'nextCursor' } },
      { query: { contains: 'example.com', since: longAgo, workspaces: true } },
      // The import was a command in each registry.
      { query: { actor: 'command-line:seed', actors: true, limit: 3 } },
      { query: { type: ['app.created'], about: ids.ada, sort: '-id', limit: 1 } },
      { query: { effectiveOnly: true, limit: 3 } },
      { query: { requestId: noRequest, until: longAgo } },
    ],
    refused: {
      invalid_content: [
        { query: { type: ['app.made'], until: 'yesterday' } },
        { query: { appId: 'draft', since: 'yesterday' } },
        { query: { field: 'name', contains: '' } },
        { query: { appId, actor: 'maintenance' } },
      ],
    },
  },
  readEventFeed: {
    done: [
      { given: changes, query: { appId, type: ['app.created', 'app.updated'], sort: 'position', limit: 1 } },
      { query: { appId, cursor: 'nextCursor' } },
      // So old that it is not a time at which one of them has begun.
      { query: { since: longAgo, effectiveOnly: true, limit: 3 } },
      { query: { since: 'now', wait: 1 } },
    ],
    refused: {
      invalid_content: { query: { since: 'yesterday' } },
      cursor_expired: { query: { cursor: foreignCursor } },
    },
  },
  getOverview: { done: [{}] },
  getStatistics: { done: [{}] },
  search: {
    done: [
      { query: { q: 'event ful', type: ['app', 'host'], sort: 'relevance', limit: 1 } },
      { query: { q: 'e', limit: 1 } },
      { query: { q: 'e', cursor: 'nextCursor' } },
    ],
    refused: { invalid_content: { query: { q: 'example', cursor: 'x' } } },
  },
} satisfies OperationFixtures;
