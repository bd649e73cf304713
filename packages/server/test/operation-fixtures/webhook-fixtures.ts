import type { Given, OperationFixtures } from './operation-fixture.ts';

const url = 'https://hooks.example/app-registry';
const longAgo = '2024-01-01T00:00:00.000Z';
const create: Given = ['createWebhook', { body: { url } }];
const deliver: Given = ['testWebhook', { id: 'webhook#1' }];

export const webhookFixtures = {
  createWebhook: {
    done: [
      { body: { url, name: 'Billing', types: ['app.approved', 'webhook.updated'] } },
      { body: { url, batch: true, effectiveOnly: true, requestsAtOnce: 10 } },
    ],
    refused: {
      invalid_content: [
        { body: { url: 'http://hooks.example', name: '' } },
        { body: { url: 'https://127.0.0.1/' } },
        { body: { url, requestsAtOnce: 0 } },
      ],
    },
  },
  listWebhooks: {
    done: [
      { given: [create, create], query: { sort: '-id', limit: 1, withTotal: true } },
      { query: { sort: '-id', cursor: 'nextCursor' } },
    ],
  },
  getWebhook: { done: [{ given: [create], id: 'webhook#1' }] },
  updateWebhook: {
    done: [
      {
        given: [create],
        id: 'webhook#1',
        body: {
          url: `${url}/2`,
          name: 'B',
          types: ['app.revoked'],
          effectiveOnly: true,
          batch: true,
          requestsAtOnce: 2,
        },
      },
      {
        id: 'webhook#1',
        body: { name: null, types: null, effectiveOnly: false, batch: false, requestsAtOnce: null },
      },
    ],
    refused: { invalid_content: { id: 'webhook#1', body: { url: 'ftp://hooks.example' } } },
  },
  rotateWebhookSecret: { done: [{ given: [create], id: 'webhook#1' }] },
  testWebhook: {
    done: [{ given: [create], id: 'webhook#1' }],
    refused: { webhook_disabled: { given: [['disableWebhook', { id: 'webhook#1' }]], id: 'webhook#1' } },
  },
  disableWebhook: { done: [{ given: [create], id: 'webhook#1' }] },
  enableWebhook: { done: [{ given: [create, ['disableWebhook', { id: 'webhook#1' }]], id: 'webhook#1' }] },
  deleteWebhook: { done: [{ given: [create], id: 'webhook#1' }] },

  listDeliveries: {
    done: [
      { given: [create, deliver, deliver], id: 'webhook#1', query: { state: 'pending', sort: 'id', limit: 1 } },
      { id: 'webhook#1', query: { state: 'pending', sort: 'id', cursor: 'nextCursor' } },
    ],
  },
  getDelivery: { done: [{ given: [create, deliver], id: 'delivery#1' }] },
  getWebhookBacklog: { done: [{ given: [create, deliver], id: 'webhook#1' }] },
  redeliverDelivery: { done: [{ given: [create, deliver], id: 'delivery#1' }] },
  redeliverWebhook: {
    done: [
      { given: [create, deliver], id: 'webhook#1', body: { since: longAgo } },
      { id: 'webhook#1', body: { since: longAgo, state: 'failed' } },
    ],
    refused: { invalid_content: { id: 'webhook#1', body: { since: 'yesterday' } } },
  },
} satisfies OperationFixtures;
