import { cli, done, type ParityCase, refused } from '../parity-case.ts';
import { ids } from '../seed.ts';

const { noWebhook } = ids;
const url = 'https://hooks.example/app-registry';
const longAgo = '2024-01-01T00:00:00.000Z';

export const webhooks: ParityCase[] = [
  done('createWebhook', cli`webhook create --url ${url} --name Billing --type app.approved webhook.updated`, {
    body: { url, name: 'Billing', types: ['app.approved', 'webhook.updated'] },
  }),
  done('createWebhook', cli`webhook create --url ${url} --batch --requests-at-once 10`, {
    body: { url, batch: true, requestsAtOnce: 10 },
  }),
  done('createWebhook', cli`webhook create --url ${url} --effective-only`, { body: { url, effectiveOnly: true } }),
  refused('createWebhook invalid_content', cli`webhook create --url http://hooks.example --name ${''}`, {
    body: { url: 'http://hooks.example', name: '' },
  }),
  refused('createWebhook invalid_content', cli`webhook create --url https://127.0.0.1/`, {
    body: { url: 'https://127.0.0.1/' },
  }),
  refused('createWebhook invalid_content', cli`webhook create --url ${url} --requests-at-once 0`, {
    body: { url, requestsAtOnce: 0 },
  }),

  done('listWebhooks', cli`webhook list --limit 1`, { query: { limit: '1' } }),
  done('listWebhooks', cli`webhook list --cursor nextCursor`, { query: { cursor: 'nextCursor' } }),
  done('listWebhooks', cli`webhook list --with-total`, { query: { withTotal: 'true' } }),
  refused('listWebhooks invalid_content', cli`webhook list --limit 0`, { query: { limit: '0' } }),

  done('getWebhook', cli`webhook get webhook#1`, { id: 'webhook#1' }),
  refused('getWebhook webhook_not_found', cli`webhook get ${noWebhook}`, { id: noWebhook }),

  done('updateWebhook', cli`webhook update webhook#1 --url ${`${url}/2`} --name Second --type app.revoked`, {
    id: 'webhook#1',
    body: { url: `${url}/2`, name: 'Second', types: ['app.revoked'] },
  }),
  done('updateWebhook', cli`webhook update webhook#1 --no-name --all-types`, {
    id: 'webhook#1',
    body: { name: null, types: null },
  }),
  done('updateWebhook', cli`webhook update webhook#1 --effective-only --batch --requests-at-once 20`, {
    id: 'webhook#1',
    body: { effectiveOnly: true, batch: true, requestsAtOnce: 20 },
  }),
  done('updateWebhook', cli`webhook update webhook#1 --no-effective-only --no-batch --no-requests-at-once`, {
    id: 'webhook#1',
    body: { effectiveOnly: false, batch: false, requestsAtOnce: null },
  }),
  refused('updateWebhook invalid_content', cli`webhook update webhook#1 --url ftp://hooks.example`, {
    id: 'webhook#1',
    body: { url: 'ftp://hooks.example' },
  }),
  refused('updateWebhook webhook_not_found', cli`webhook update ${noWebhook} --name Second`, {
    id: noWebhook,
    body: { name: 'Second' },
  }),

  done('rotateWebhookSecret', cli`webhook rotate-secret webhook#1`, { id: 'webhook#1' }),
  refused('rotateWebhookSecret webhook_not_found', cli`webhook rotate-secret ${noWebhook}`, { id: noWebhook }),

  done('testWebhook', cli`webhook test webhook#1`, { id: 'webhook#1' }),
  refused('testWebhook webhook_not_found', cli`webhook test ${noWebhook}`, { id: noWebhook }),

  done('disableWebhook', cli`webhook disable webhook#1`, { id: 'webhook#1' }),
  refused('disableWebhook webhook_not_found', cli`webhook disable ${noWebhook}`, { id: noWebhook }),
  refused('testWebhook webhook_disabled', cli`webhook test webhook#1`, { id: 'webhook#1' }),
  done('enableWebhook', cli`webhook enable webhook#1`, { id: 'webhook#1' }),
  refused('enableWebhook webhook_not_found', cli`webhook enable ${noWebhook}`, { id: noWebhook }),

  done('listDeliveries', cli`delivery list webhook#2 --state pending --limit 2`, {
    id: 'webhook#2',
    query: { state: 'pending', limit: '2' },
  }),
  done('listDeliveries', cli`delivery list webhook#2 --state pending --cursor nextCursor`, {
    id: 'webhook#2',
    query: { state: 'pending', cursor: 'nextCursor' },
  }),
  refused('listDeliveries invalid_content', cli`delivery list webhook#2 --limit 0`, {
    id: 'webhook#2',
    query: { limit: '0' },
  }),
  refused('listDeliveries webhook_not_found', cli`delivery list ${noWebhook}`, { id: noWebhook }),

  done('getDelivery', cli`delivery get delivery#1`, { id: 'delivery#1' }),
  refused('getDelivery delivery_not_found', cli`delivery get ${ids.noDelivery}`, { id: ids.noDelivery }),
  done('redeliver', cli`delivery redeliver delivery#1`, { id: 'delivery#1' }),
  refused('redeliver delivery_not_found', cli`delivery redeliver ${ids.noDelivery}`, { id: ids.noDelivery }),
  done('redeliverSince', cli`delivery redeliver --webhook webhook#2 --since ${longAgo}`, {
    id: 'webhook#2',
    body: { since: longAgo },
  }),
  done('redeliverSince', cli`delivery redeliver --webhook webhook#2 --since ${longAgo} --state failed`, {
    id: 'webhook#2',
    body: { since: longAgo, state: 'failed' },
  }),
  refused('redeliverSince invalid_content', cli`delivery redeliver --webhook webhook#2 --since yesterday`, {
    id: 'webhook#2',
    body: { since: 'yesterday' },
  }),
  refused('redeliverSince webhook_not_found', cli`delivery redeliver --webhook ${noWebhook} --since ${longAgo}`, {
    id: noWebhook,
    body: { since: longAgo },
  }),

  done('deleteWebhook', cli`webhook delete webhook#1`, { id: 'webhook#1' }),
  refused('deleteWebhook webhook_not_found', cli`webhook delete webhook#1`, { id: 'webhook#1' }),
];
