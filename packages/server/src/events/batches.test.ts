import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { verifyWebhookBatch } from '../../../client/src/index.ts';
import { DeliveryFixture } from './testing/delivery-fixture.ts';
import { type Arrival, HookReceiver, until } from './testing/hook-receiver.ts';

const inBatches = { batch: 1 } as const;
const mebibyte = 1_048_576;

forEachEngine((engine) => {
  let hook: HookReceiver;
  let fixture: DeliveryFixture;
  before(async () => {
    hook = await HookReceiver.start();
  });
  after(() => hook.close());
  beforeEach(async () => {
    hook.arrivals.length = 0;
    hook.respond = (_, response) => response.end();
    fixture = await DeliveryFixture.open(engine);
  });
  afterEach(() => fixture.close());

  const finished = () => until(async () => (await fixture.deliveries()).every(({ state }) => state !== 'pending'));
  const changes = (count: number, app = 'app_a') => fixture.change(Array(count).fill(app));
  const sizes = (arrivals = hook.arrivals) => arrivals.map(({ events }) => events.length);
  const idsOf = ({ headers }: Arrival) => headers['webhook-id'];

  test('a batch has up to 100 events of one app in order, and is acknowledged as a whole', async () => {
    await fixture.newWebhook(hook.url(), inBatches);
    hook.respond = (_, response) => response.writeHead(202).end();
    await fixture.change(Array.from({ length: 270 }, (_, at) => (at % 3 === 2 ? 'app_b' : 'app_a')));
    await fixture.startProcess();
    await finished();
    assert.deepEqual(hook.byQueue(), await fixture.committed());
    assert.deepEqual(sizes().toSorted(), [100, 80, 90].toSorted());
    assert.ok(hook.arrivals.every(({ events }) => new Set(events.map(({ appId }) => appId)).size === 1));
    for (const row of await fixture.deliveries()) {
      assert.deepEqual([row.state, row.attempts, row.response_status], ['delivered', 1, 202]);
    }
  });

  test('the client verifies a batch with the secret of its webhook, and with no other', async () => {
    const { secret } = await fixture.newWebhook(hook.url(), inBatches);
    await changes(3);
    await fixture.startProcess();
    const [{ body, headers } = assert.fail()] = await hook.untilArrived(1);
    const events = await verifyWebhookBatch({ body, headers, secret });
    assert.deepEqual(
      events.map(({ id }) => id),
      (await fixture.committed()).app_a,
    );
    const other = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDJ3Lm2qLpcUc=';
    await assert.rejects(verifyWebhookBatch({ body, headers, secret: other }), { reason: 'no_matching_signature' });
  });

  test('a failed batch is retried as a whole under the same id, before any later events', async () => {
    await fixture.newWebhook(hook.url(), inBatches);
    hook.respond = (_, response) => response.writeHead(hook.arrivals.length <= 2 ? 500 : 200).end();
    await changes(3);
    const { registry } = await fixture.startProcess({ retryMs: [150, 150] });
    await hook.untilArrived(1);
    await fixture.change(['app_a', 'app_a'], registry);
    await finished();
    const [first, second, third, fourth] = hook.arrivals;
    assert.deepEqual(
      [first, second, third].map((arrival) => arrival?.body),
      Array(3).fill(first?.body),
    );
    assert.equal(new Set(hook.arrivals.slice(0, 3).map(idsOf)).size, 1);
    assert.match(first ? (idsOf(first) ?? '') : '', /^batch_[0-9a-f]{32}$/);
    assert.notEqual(fourth && idsOf(fourth), first && idsOf(first));
    assert.deepEqual(sizes(), [3, 3, 3, 2]);
    assert.deepEqual(hook.byQueue(), await fixture.committed());
    const attempts = (await fixture.deliveries()).map((row) => row.attempts);
    assert.deepEqual(attempts, [3, 3, 3, 1, 1]);
  });

  test('a batch is given up as a whole after its last attempt, and each of its events is counted', async () => {
    await fixture.newWebhook(hook.url(), inBatches);
    hook.respond = (_, response) => response.writeHead(hook.arrivals.length <= 2 ? 400 : 200).end();
    await changes(100);
    const { metrics } = await fixture.startProcess({ retryMs: [0] });
    await changes(1);
    await finished();
    const states = (await fixture.deliveries()).map(({ state, attempts }) => `${state} ${attempts}`);
    assert.deepEqual(states, [...Array(100).fill('failed 2'), 'delivered 1']);
    const text = await metrics.metrics();
    for (const line of ['"delivered"} 1', '"retried"} 100', '"given_up"} 100']) {
      assert.ok(text.includes(`webhook_attempts_total{outcome=${line}\n`), text);
    }
  });

  test('a batch has at most 1 MiB, and a larger event is sent alone', async () => {
    await fixture.newWebhook(hook.url(), inBatches);
    const large = (megabytes: number) => ({
      after: { listingInfo: { longDescription: 'é'.repeat((megabytes * 1_000_000) / 2) } },
    });
    for (const size of [0.4, 0.4, 0.4, 2, 0.1, 0.1]) await fixture.change(['app_a'], undefined, large(size));
    await fixture.startProcess();
    await finished();
    assert.deepEqual(sizes(), [2, 1, 1, 2]);
    for (const { body, events } of hook.arrivals) {
      assert.ok(events.length === 1 || Buffer.byteLength(body) <= mebibyte);
    }
    assert.deepEqual(hook.byQueue(), await fixture.committed());
  });

  test('the batches of a slow app do not delay other apps, and two processes preserve the order of each app', async () => {
    await fixture.newWebhook(hook.url(), inBatches);
    const held: (() => void)[] = [];
    hook.respond = ({ event }, response) => {
      if (event.appId === 'app_slow') held.push(() => response.end());
      else response.writeHead(Math.random() < 0.3 ? 500 : 200).end();
    };
    await Promise.all([fixture.startProcess(), fixture.startProcess()]);
    await changes(1, 'app_slow');
    await fixture.change(Array.from({ length: 200 }, (_, at) => `app_${at % 20}`));
    await until(async () => (await fixture.deliveries()).filter(({ state }) => state === 'pending').length === 1);
    await until(() => held.length > 0);
    for (const release of held) release();
    await finished();
    assert.deepEqual(hook.byQueue(), await fixture.committed());
  });

  test('a webhook that is changed to batches, and back, gets every event in order', async () => {
    const { id } = await fixture.newWebhook(hook.url());
    await fixture.startProcess();
    const setBatch = (batch: 0 | 1) =>
      fixture.storage.write((transaction) =>
        transaction.run(transaction.builder.updateTable('webhooks').set({ batch }).where('id', '=', id).compile()),
      );
    for (const batch of [0, 1, 0] as const) {
      await setBatch(batch);
      await changes(5);
      await finished();
    }
    assert.deepEqual(hook.byQueue(), await fixture.committed());
    assert.ok(
      hook.arrivals.some(({ body }) => body.startsWith('[')) && hook.arrivals.some(({ body }) => body.startsWith('{')),
    );
  });
});
