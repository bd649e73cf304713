import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { getDelivery, redeliverDelivery } from '@appregistrar/testkit/calls/webhooks';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import type { HookReceiver } from '@appregistrar/testkit/http/hook-receiver';
import { rowsOf } from '@appregistrar/testkit/registry/recorded';
import { type DeliveringProcess, DeliveryFixture } from '../../../../test/webhooks/delivery-fixture.ts';
import { commandLine } from '../../../kernel/registry.ts';
import type { DeliveryDetails } from '../deliveries/delivery.ts';
import { deleteFinishedDeliveries } from '../deliveries/delivery-queries.ts';

forEachEngine((engine) => {
  let hook: HookReceiver;
  let fixture: DeliveryFixture;
  let serving: DeliveringProcess;
  before(async () => {
    fixture = await DeliveryFixture.open(engine);
    hook = fixture.hook;
  });
  beforeEach(async () => {
    hook.respond = (_, response) => response.end('thanks');
    serving = await fixture.startProcess({ userAgent: 'app-registry/1.2.3' });
  });
  afterEach(() => fixture.reset());
  after(() => fixture.close());

  const requests = () => rowsOf(fixture.storage, 'delivery_requests');
  async function details(): Promise<DeliveryDetails[]> {
    await fixture.finished();
    const deliveries = (await fixture.deliveries()).toSorted((one, other) => (one.event_id < other.event_id ? -1 : 1));
    return Promise.all(deliveries.map(({ id }) => getDelivery(serving.registry, id)));
  }
  /** Changes of apps that a webhook receives together. */
  async function queuedBatch(apps: string[]): Promise<void> {
    await serving.stop();
    await fixture.newWebhook(hook.url(), { batch: 1 });
    await fixture.change(apps);
    serving = await fixture.startProcess();
  }
  /** Of the only delivery. */
  async function detail(): Promise<DeliveryDetails> {
    const [only, ...more] = await details();
    assert.equal(more.length, 0);
    return only ?? assert.fail('there is no delivery');
  }
  const header = (fields: { name: string; value: string }[] = []): Record<string, string> =>
    Object.fromEntries(fields.map(({ name, value }) => [name, value]));

  test('a delivery shows the request as it arrived, without the signature, and the response', async () => {
    await fixture.newWebhook(hook.url('/apps'));
    hook.respond = (_, response) => response.writeHead(201, { 'x-request': 'r1' }).end('thanks');
    await fixture.change(['app_a'], serving.registry, { after: { name: 'Ünïcode "quoted" \\ 🎈' } });
    const { request, response } = await detail();
    const [arrival = assert.fail()] = hook.arrivals;
    assert.equal(request?.url, hook.url('/apps'));
    assert.equal(request?.body, arrival.body);
    const sent = header(request?.headers);
    const arrived = Object.keys(sent).map((name) => [name, arrival.headers[name]]);
    assert.deepEqual(sent, { ...Object.fromEntries(arrived), 'webhook-signature': 'v1,(not stored)' });
    assert.equal(sent['user-agent'], 'app-registry/1.2.3');
    const { 'x-request': id, date } = header(response?.headers);
    assert.deepEqual([id, typeof date], ['r1', 'string']);
    const { headers: _, ...rest } = response ?? assert.fail();
    assert.deepEqual(rest, { status: 201, body: 'thanks', isBinary: false, isTruncated: false });
  });

  test('secrets in the URL and in the response are stored only in the URL of the webhook', async () => {
    const url = hook.url('/apps?key=hush-query').replace('//', '//user:hush-password@');
    await fixture.newWebhook(url);
    hook.respond = (_, response) =>
      response.writeHead(200, { 'set-cookie': ['a=hush-1', 'b=hush-2'], 'X-Api-Key': 'hush-3' }).end();
    await fixture.change(['app_a']);
    const { request, response } = await detail();
    assert.equal(request?.url, hook.url('/apps'));
    assert.deepEqual(
      response?.headers?.filter(({ value }) => value === '(not stored)').map(({ name }) => name),
      ['set-cookie', 'set-cookie', 'x-api-key'],
    );
    const stored = JSON.stringify([await requests(), await fixture.deliveries()]);
    assert.doesNotMatch(stored, /hush/);
  });

  test('a long response is stored up to 4 KiB, and its header up to 2,048 characters', async () => {
    await fixture.newWebhook(hook.url());
    const text = Array.from({ length: 2_000 }, (_, at) => `é${at % 10}`).join('');
    hook.respond = (_, response) => response.writeHead(200, { 'x-first': '1', 'x-long': 'x'.repeat(3_000) }).end(text);
    await fixture.change(['app_a']);
    const { id, response } = await detail();
    assert.equal(response?.body, Buffer.from(text).subarray(0, 4_095).toString());
    assert.equal(
      (await fixture.deliveries()).find((row) => row.id === id)?.response_body,
      Buffer.from(text).subarray(0, 1_023).toString(),
    );
    assert.equal(response?.isTruncated, true);
    assert.deepEqual(
      response?.headers?.map(({ name }) => name),
      ['x-first'],
    );
  });

  test('a response that is not text is marked, and its body is not shown', async () => {
    await fixture.newWebhook(hook.url());
    for (const bytes of [
      [0x89, 0x50, 0x4e, 0x47],
      [0x61, 0, 0x62],
    ]) {
      hook.respond = (_, response) => response.end(Buffer.from(bytes));
      await fixture.change(['app_a']);
      const { response } = (await details()).at(-1) ?? assert.fail();
      assert.deepEqual([response?.isBinary, response && 'body' in response], [true, false]);
    }
  });

  test('an attempt without a response shows its request and the reason, and a future attempt shows neither', async () => {
    const webhook = await fixture.newWebhook('http://127.0.0.1:1/');
    await fixture.change(['app_a']);
    const { request, response } = await detail();
    assert.deepEqual([request?.url, Object.keys(response ?? {})], ['http://127.0.0.1:1/', ['body']]);
    assert.match(response?.body ?? '', /ECONNREFUSED/);
    await serving.stop();
    await fixture.change(['app_b']);
    const pending = (await fixture.deliveries()).find(({ state }) => state === 'pending') ?? assert.fail();
    assert.equal(pending.webhook_id, webhook.id);
    assert.equal(
      'request' in (await getDelivery({ ...serving.registry, storage: fixture.storage }, pending.id)),
      false,
    );
  });

  test('each delivery of a batch shows the whole batch as it arrived, which is stored once', async () => {
    await queuedBatch(['app_a', 'app_a', 'app_b', 'app_a']);
    const shown = await details();
    assert.equal((await requests()).length, 2);
    for (const { eventId, request, response } of shown) {
      const arrival = hook.arrivals.find(({ events }) => events.some(({ id }) => id === eventId));
      assert.equal(request?.body, arrival?.body);
      assert.equal(header(request?.headers)['webhook-id'], arrival?.headers['webhook-id']);
      assert.equal(response?.body, 'thanks');
    }
  });

  test('after the first event of a batch is redelivered alone, the others do not show that request', async () => {
    await queuedBatch(['app_a', 'app_a']);
    const [first = assert.fail()] = await details();
    fixture.now = () => Date.now() + 1_000;
    await redeliverDelivery(serving.registry, commandLine, first.id);
    const [redelivered, other] = await details();
    assert.equal(redelivered?.request?.body, hook.arrivals[1]?.body);
    assert.equal(hook.arrivals[1]?.events.length, 1);
    assert.equal(other?.state, 'delivered');
    assert.equal(other?.request, undefined);
  });

  test('the last attempt replaces earlier ones', async () => {
    await fixture.newWebhook(hook.url());
    hook.respond = (_, response) =>
      response.writeHead(hook.arrivals.length < 3 ? 500 : 200).end(`${hook.arrivals.length}`);
    await fixture.change(['app_a']);
    const { response, attempts } = await detail();
    assert.deepEqual([attempts, response?.status, response?.body], [3, 200, '3']);
    assert.equal((await requests()).length, 1);
  });

  test('requests are deleted with their deliveries', async () => {
    await fixture.newWebhook(hook.url());
    await fixture.change(['app_a']);
    const { id } = await detail();
    assert.equal((await requests()).length, 1);
    await fixture.storage.write((transaction) => deleteFinishedDeliveries(transaction, [id]));
    assert.deepEqual(await requests(), []);
  });
});
