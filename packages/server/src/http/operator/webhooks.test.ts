import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { forEachEngine, sqlite } from 'app-registry-testkit/engines/engines';
import { OperatorFixture } from 'app-registry-testkit/http/operator-fixture';
import type { PageOf } from '../../contract/page.ts';
import type { Delivery, Redelivered, Webhook, WebhookWithSecret } from '../../contract/webhook.ts';
import { newId } from '../../registry/type-id.ts';

const url = 'https://hooks.example.com/apps?key=hush';

forEachEngine((engine) => {
  let operator: OperatorFixture;
  before(async () => {
    operator = await OperatorFixture.open(engine);
  });
  after(() => operator.close());

  const create = async (body: object = { url }) =>
    (await operator.call<WebhookWithSecret>('POST /webhooks', { body })).view;

  describe('a webhook, by the operator API', () => {
    test('is created with a secret that no other answer holds, and that is never logged', async () => {
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
      const rotated = await operator.call<WebhookWithSecret>(`POST /webhooks/${webhook.id}/rotate`);
      assert.deepEqual([rotated.status, rotated.view.secret === secret], [200, false]);
      assert.ok(rotated.view.previousSecretUntil);
      assert.doesNotMatch(operator.log.text, /whsec_|hush/);
    });

    test('is created once under a key: the repeat tells its id, and not the secret', async () => {
      const headers = { 'idempotency-key': 'webhook-once' };
      const { view } = await operator.call<WebhookWithSecret>('POST /webhooks', { headers, body: { url } });
      const again = await operator.call('POST /webhooks', { headers, body: { url } });
      assert.equal(again.refusal, '409 webhook_created');
      assert.ok(again.problem.detail.includes(view.id));
    });

    test('is rotated once under a key: the repeat shows the same secret', async () => {
      const { id, secret } = await create();
      const rotate = () =>
        operator.call<WebhookWithSecret>(`POST /webhooks/${id}/rotate`, {
          headers: { 'idempotency-key': 'rotate-once' },
        });
      const [first, again] = [await rotate(), await rotate()];
      assert.deepEqual([again.status, again.headers['idempotency-replayed']], [200, 'true']);
      assert.notEqual(first.view.secret, secret);
      assert.deepEqual(again.view, first.view);
      await operator.call(`POST /webhooks/${id}/rotate`);
      assert.equal((await rotate()).refusal, '409 secret_replaced');
    });

    test('is changed, disabled, enabled and deleted', async () => {
      const { id } = await create();
      const asked = async (operation: string, body?: object) =>
        (await operator.call<Webhook>(operation, { body })).view;
      const moved = await asked(`PATCH /webhooks/${id}`, { url: 'https://moved.example.com/', name: 'Moved' });
      assert.deepEqual([moved.url, moved.name], ['https://moved.example.com/', 'Moved']);
      assert.equal((await asked(`PATCH /webhooks/${id}`, { name: null })).name, undefined);
      assert.equal((await asked(`POST /webhooks/${id}/disable`)).enabled, false);
      assert.equal((await operator.call(`POST /webhooks/${id}/test`)).refusal, '409 webhook_disabled');
      assert.equal((await asked(`POST /webhooks/${id}/enable`)).enabled, true);
      assert.equal((await asked(`DELETE /webhooks/${id}`)).id, id);
      assert.equal((await operator.call(`GET /webhooks/${id}`)).refusal, '404 webhook_not_found');
    });

    test('is tried, and its deliveries are listed and made again', async () => {
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

    test('is refused with every fault, and where it would lead into the network of the service', async () => {
      const { validationErrors: faults } = await operator.call('POST /webhooks', {
        body: { url: 'hooks', types: ['app.painted'] },
      });
      assert.deepEqual(faults.toSorted(), ['/types/0 not_allowed', '/url invalid_format']);
      for (const address of ['https://169.254.169.254/', 'http://hooks.example.com/', 'https://localhost/']) {
        assert.deepEqual((await operator.call('POST /webhooks', { body: { url: address } })).validationErrors, [
          '/url not_allowed',
        ]);
      }
      const { id } = await create();
      assert.deepEqual((await operator.call(`GET /webhooks/${id}/deliveries?state=lost`)).validationErrors, [
        '/state not_allowed',
      ]);
      assert.deepEqual((await operator.call(`POST /webhooks/${id}/redeliver`, { body: {} })).validationErrors, [
        '/since required',
      ]);
    });

    test('that is not there is told by name, whatever is asked of it', async () => {
      const id = newId('webhook');
      for (const [operation, body] of [
        [`GET /webhooks/${id}`],
        [`PATCH /webhooks/${id}`, {}],
        [`DELETE /webhooks/${id}`],
        [`POST /webhooks/${id}/rotate`],
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

test('an address within the network is taken where the configuration allows it', async () => {
  const operator = await OperatorFixture.open(sqlite, { webhookAllowPrivate: true });
  try {
    const body = { url: 'http://127.0.0.1:9/' };
    assert.equal((await operator.call('POST /webhooks', { body })).status, 201);
  } finally {
    await operator.close();
  }
});
