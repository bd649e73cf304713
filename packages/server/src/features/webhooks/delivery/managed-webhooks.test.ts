import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import {
  createWebhook,
  deleteWebhook,
  listDeliveries,
  redeliverDelivery,
  redeliverWebhook,
  rotateWebhookSecret,
  setWebhookEnabled,
  testWebhook,
  updateWebhook,
} from '@appregistrar/testkit/calls/webhooks';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import type { Arrival, HookReceiver } from '@appregistrar/testkit/http/hook-receiver';
import { Webhook } from 'standardwebhooks';
import { type DeliveringProcess, DeliveryFixture } from '../../../../test/webhooks/delivery-fixture.ts';
import { commandLine } from '../../../kernel/registry.ts';
import type { WebhookWithSecret } from '../webhook.ts';

const types = ['app.updated' as const];

forEachEngine((engine) => {
  let hook: HookReceiver;
  let fixture: DeliveryFixture;
  let serving: DeliveringProcess;
  before(async () => {
    fixture = await DeliveryFixture.open(engine);
    hook = fixture.hook;
  });
  beforeEach(async () => {
    serving = await fixture.startProcess();
  });
  afterEach(() => fixture.reset());
  after(() => fixture.close());

  const create = (path = '/') => createWebhook(serving.registry, commandLine, { url: hook.url(path), types });
  const enable = (id: string, enabled: boolean) => setWebhookEnabled(serving.registry, commandLine, { id, enabled });
  const deliveriesOf = async ({ id }: WebhookWithSecret, filter: object = {}) =>
    (await listDeliveries(serving.registry, { ...filter, webhookId: id, limit: 100 })).items.toReversed();
  const untilDelivered = (webhook: WebhookWithSecret) =>
    fixture.until(async () => (await deliveriesOf(webhook)).every(({ state }) => state === 'delivered'));
  const verifies = (secret: string, { body, headers }: Arrival) => {
    try {
      new Webhook(secret).verify(body, headers);
      return true;
    } catch {
      return false;
    }
  };

  test('deliveries are signed with the secret that was shown, and with both during a rotation', async () => {
    const { secret, id } = await create();
    await fixture.change(['app_a']);
    const rotated = await hook.untilArrived(1).then(() => rotateWebhookSecret(serving.registry, commandLine, id));
    await fixture.change(['app_a']);
    const [first, second] = (await hook.untilArrived(2)) as [Arrival, Arrival];
    assert.deepEqual([verifies(secret, first), verifies(rotated.secret, first)], [true, false]);
    assert.deepEqual([verifies(secret, second), verifies(rotated.secret, second)], [true, true]);
  });

  test('a test arrives at once and only at its webhook, even while an earlier one awaits its next attempt', async () => {
    const [webhook] = [await create('/tested'), await create('/other')];
    hook.respond = (_, response) => response.writeHead(503, { 'retry-after': '3600' }).end('not now');
    const first = await testWebhook(serving.registry, commandLine, webhook.id);
    await fixture.until(async () => (await deliveriesOf(webhook))[0]?.attempts === 1);
    hook.respond = (_, response) => response.writeHead(202).end('thanks');
    const second = await testWebhook(serving.registry, commandLine, webhook.id);
    await fixture.until(async () => (await deliveriesOf(webhook, { state: 'delivered' })).length === 1);
    const [waiting, delivered] = await deliveriesOf(webhook);
    assert.deepEqual([waiting?.id, waiting?.state, waiting?.response?.body], [first.id, 'pending', 'not now']);
    assert.deepEqual([delivered?.id, delivered?.response], [second.id, { status: 202, body: 'thanks' }]);
    assert.deepEqual(
      hook.arrivals.map(({ path, event }) => [path, event.type, event.subjectId]),
      Array(2).fill(['/tested', 'webhook.tested', webhook.id]),
    );
  });

  test('a disabled webhook receives nothing, and once enabled, its pending deliveries in order', async () => {
    const webhook = await create();
    hook.respond = (_, response) => response.writeHead(503, { 'retry-after': '3600' }).end();
    await fixture.change(['app_a', 'app_a']);
    await fixture.until(async () => (await deliveriesOf(webhook))[0]?.attempts === 1);
    await enable(webhook.id, false);
    hook.arrivals.length = 0;
    hook.respond = (_, response) => response.end();
    await fixture.change(['app_a', 'app_b']);
    const pending = await deliveriesOf(webhook, { state: 'pending' });
    for (const { id } of pending) await redeliverDelivery(serving.registry, commandLine, id);
    await enable(webhook.id, true);
    await untilDelivered(webhook);
    assert.deepEqual(
      hook.arrivals.map(({ headers }) => headers['webhook-id']),
      pending.map(({ eventId }) => eventId),
    );
    assert.equal(pending.length, 2);
  });

  test('a pending delivery goes to the new address of its webhook once it is redelivered', async () => {
    const webhook = await create('/old');
    hook.respond = ({ path }, response) =>
      path === '/old' ? response.writeHead(503, { 'retry-after': '3600' }).end() : response.end();
    await fixture.change(['app_a']);
    await fixture.until(async () => (await deliveriesOf(webhook))[0]?.attempts === 1);
    await updateWebhook(serving.registry, commandLine, { id: webhook.id, update: { url: hook.url('/new') } });
    const [delivery] = await deliveriesOf(webhook);
    await redeliverDelivery(serving.registry, commandLine, delivery?.id ?? '');
    await untilDelivered(webhook);
    assert.deepEqual(
      hook.arrivals.map(({ path }) => path),
      ['/old', '/new'],
    );
  });

  test('redeliveries have the same id, and those of an app arrive in order', async () => {
    const webhook = await create();
    await fixture.change(['app_a', 'app_a', 'app_a', 'app_b']);
    await untilDelivered(webhook);
    const before = await deliveriesOf(webhook);
    hook.arrivals.length = 0;
    await redeliverDelivery(serving.registry, commandLine, before[1]?.id ?? '');
    await untilDelivered(webhook);
    assert.deepEqual(
      hook.arrivals.map(({ headers }) => headers['webhook-id']),
      [before[1]?.eventId],
    );
    hook.arrivals.length = 0;
    const redelivery = { since: before[0]?.createdAt };
    const { deliveriesRedelivered } = await redeliverWebhook(serving.registry, commandLine, {
      webhookId: webhook.id,
      redelivery,
    });
    assert.equal(deliveriesRedelivered, 4);
    await untilDelivered(webhook);
    assert.deepEqual(hook.byQueue(), await committedUpdates());
  });

  test('a deleted webhook receives no pending delivery', async () => {
    const [webhook, other] = [await create('/deleted'), await create('/other')];
    hook.respond = ({ path }, response) =>
      path === '/deleted' ? response.writeHead(503, { 'retry-after': '3600' }).end() : response.end();
    await fixture.change(['app_a', 'app_a']);
    await untilDelivered(other);
    await fixture.until(async () => (await deliveriesOf(webhook))[0]?.attempts === 1);
    await deleteWebhook(serving.registry, commandLine, webhook.id);
    await fixture.change(['app_a']);
    await untilDelivered(other);
    assert.equal(hook.arrivals.filter(({ path }) => path === '/deleted').length, 1);
    assert.ok((await fixture.deliveries()).every(({ webhook_id }) => webhook_id === other.id));
  });

  /** The ids of each app's updates, without the events of webhooks. */
  async function committedUpdates(): Promise<Record<string, string[]>> {
    const committed = Object.entries(await fixture.committed());
    return Object.fromEntries(committed.filter(([queue]) => queue.startsWith('app_')));
  }
});
