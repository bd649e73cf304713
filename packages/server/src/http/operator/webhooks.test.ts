import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { onSqlite, sqlite } from '@appregistrar/testkit/engines/engines';
import { OperatorFixture } from '../../../test/http/operator-fixture.ts';
import type { Redelivered } from '../../features/webhooks/deliveries/deliveries.ts';
import type { Delivery } from '../../features/webhooks/deliveries/delivery.ts';
import type { Webhook, WebhookWithSecret } from '../../features/webhooks/webhook.ts';
import { newId } from '../../kernel/ids.ts';
import type { PageOf } from '../../kernel/page.ts';

const url = 'https://hooks.example.com/apps?key=hush';

onSqlite((engine) => {
  let operator: OperatorFixture;
  before(async () => {
    operator = await OperatorFixture.open(engine);
  });
  after(() => operator.close());

  const create = async (body: object = { url }) =>
    (await operator.call<WebhookWithSecret>('POST /webhooks', { body })).view;

  describe('a webhook of the operator API', () => {
    test('is created with a secret that no later response contains and no log line shows', async () => {
      const created = await operator.call<WebhookWithSecret>('POST /webhooks', {
        body: { url, name: 'Billing', types: ['app.approved'] },
      });
      assert.equal(created.status, 201);
      const { secret, ...webhook } = created.view;
      assert.match(secret, /^whsec_/);
      const shown = await operator.call<Webhook>(`GET /webhooks/${webhook.id}`);
      assert.deepEqual(shown.view, webhook);
      const listed = await operator.call<PageOf<Webhook>>('GET /webhooks?limit=100');
      assert.deepEqual(listed.view.items, [webhook]);
      const rotated = await operator.call<WebhookWithSecret>(`POST /webhooks/${webhook.id}/rotate-secret`);
      assert.deepEqual([rotated.status, rotated.view.secret === secret], [200, false]);
      assert.ok(rotated.view.previousSecretUntil);
      assert.doesNotMatch(operator.log.text, /whsec_|hush/);
    });

    test('is created once per idempotency key: a retry reports its id without the secret', async () => {
      const headers = { 'idempotency-key': 'webhook-once' };
      const { view } = await operator.call<WebhookWithSecret>('POST /webhooks', { headers, body: { url } });
      const again = await operator.call('POST /webhooks', { headers, body: { url } });
      assert.equal(again.refusal, '409 webhook_created');
      assert.ok(again.problem.detail.includes(view.id));
    });

    test('is rotated once per idempotency key: a retry returns the same secret', async () => {
      const { id, secret } = await create();
      const rotate = () =>
        operator.call<WebhookWithSecret>(`POST /webhooks/${id}/rotate-secret`, {
          headers: { 'idempotency-key': 'rotate-once' },
        });
      const [first, again] = [await rotate(), await rotate()];
      assert.deepEqual([again.status, again.headers['idempotency-replayed']], [200, 'true']);
      assert.notEqual(first.view.secret, secret);
      assert.deepEqual(again.view, first.view);
      await operator.call(`POST /webhooks/${id}/rotate-secret`);
      assert.equal((await rotate()).refusal, '409 secret_replaced');
    });

    test('can be updated, disabled, enabled and deleted', async () => {
      const { id } = await create();
      const call = async (operation: string, body?: object) => (await operator.call<Webhook>(operation, { body })).view;
      const moved = await call(`PATCH /webhooks/${id}`, { url: 'https://moved.example.com/', name: 'Moved' });
      assert.deepEqual([moved.url, moved.name], ['https://moved.example.com/', 'Moved']);
      assert.equal((await call(`PATCH /webhooks/${id}`, { name: null })).name, undefined);
      assert.equal((await call(`POST /webhooks/${id}/disable`)).enabled, false);
      assert.equal((await operator.call(`POST /webhooks/${id}/test`)).refusal, '409 webhook_disabled');
      assert.equal((await call(`POST /webhooks/${id}/enable`)).enabled, true);
      assert.equal((await call(`DELETE /webhooks/${id}`)).id, id);
      assert.equal((await operator.call(`GET /webhooks/${id}`)).refusal, '404 webhook_not_found');
    });

    test('can be tested, and its deliveries can be listed and sent again', async () => {
      const { id } = await create();
      const tested = (await operator.call<Delivery>(`POST /webhooks/${id}/test`)).view;
      assert.deepEqual([tested.webhookId, tested.eventType, tested.state], [id, 'webhook.tested', 'pending']);
      const list = `GET /webhooks/${id}/deliveries`;
      const all = (await operator.call<PageOf<Delivery>>(list)).view.items;
      assert.deepEqual(
        [all[0], all.map(({ eventType }) => eventType)],
        [tested, ['webhook.tested', 'webhook.created']],
      );
      const first = await operator.call<PageOf<Delivery>>(`${list}?state=pending&limit=1`);
      const next = await operator.call<PageOf<Delivery>>(
        `${list}?state=pending&limit=1&cursor=${first.view.nextCursor}`,
      );
      assert.deepEqual([...first.view.items, ...next.view.items], all);
      assert.deepEqual((await operator.call<Delivery>(`POST /deliveries/${tested.id}/redeliver`)).view.id, tested.id);
      const again = await operator.call<Redelivered>(`POST /webhooks/${id}/redeliver`, {
        body: { since: '2020-01-01T00:00:00Z' },
      });
      // Both are due already.
      assert.deepEqual(again.view, { webhookId: id, deliveriesRedelivered: 0 });
    });

    test('is refused with every validation error, and if its URL points into a private network', async () => {
      const { validationErrors } = await operator.call('POST /webhooks', {
        body: { url: 'hooks', types: ['app.painted'] },
      });
      assert.deepEqual(validationErrors.toSorted(), ['/types/0 not_allowed', '/url invalid_format']);
      for (const address of ['https://169.254.169.254/', 'http://hooks.example.com/', 'https://localhost/']) {
        assert.deepEqual((await operator.call('POST /webhooks', { body: { url: address } })).validationErrors, [
          '/url not_allowed',
        ]);
      }
      const { id } = await create();
      assert.deepEqual((await operator.call(`GET /webhooks/${id}/deliveries?state=lost`)).validationErrors, [
        'state not_allowed',
      ]);
      assert.deepEqual((await operator.call(`POST /webhooks/${id}/redeliver`, { body: {} })).validationErrors, [
        '/since required',
      ]);
    });

    test('that does not exist is reported as not found by every operation', async () => {
      const id = newId('webhook');
      for (const [operation, body] of [
        [`GET /webhooks/${id}`],
        [`PATCH /webhooks/${id}`, {}],
        [`DELETE /webhooks/${id}`],
        [`POST /webhooks/${id}/rotate-secret`],
        [`POST /webhooks/${id}/enable`],
        [`POST /webhooks/${id}/disable`],
        [`POST /webhooks/${id}/test`],
        [`GET /webhooks/${id}/deliveries`],
        [`POST /webhooks/${id}/redeliver`, { since: '2020-01-01T00:00:00Z' }],
      ] as [string, object?][]) {
        assert.equal((await operator.call(operation, { body })).refusal, '404 webhook_not_found', operation);
      }
      const delivery = await operator.call(`POST /deliveries/${newId('delivery')}/redeliver`);
      assert.equal(delivery.refusal, '404 delivery_not_found');
    });
  });
});

test('an address in a private network is accepted if the configuration allows it', async () => {
  const operator = await OperatorFixture.open(sqlite, { webhookAllowPrivate: true });
  try {
    const body = { url: 'http://127.0.0.1:9/' };
    assert.equal((await operator.call('POST /webhooks', { body })).status, 201);
  } finally {
    await operator.close();
  }
});
