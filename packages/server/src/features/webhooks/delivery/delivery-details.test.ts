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
  /** Of all deliveries, in the order of their events, once none is pending. */
  async function details(): Promise<DeliveryDetails[]> {
    await fixture.finished();
    const deliveries = (await fixture.deliveries()).toSorted((one, other) => (one.event_id < other.event_id ? -1 : 1));
    return Promise.all(deliveries.map(({ id }) => getDelivery(serving.registry, id)));
  }
  /** Of the delivery of a change. */
  async function detail(url = hook.url()): Promise<DeliveryDetails> {
    await fixture.newWebhook(url);
    await fixture.change(['app_a'], serving.registry, { after: { name: 'Ünïcode "quoted" \\ 🎈' } });
    const [only = assert.fail(), ...more] = await details();
    assert.deepEqual(more, []);
    return only;
  }
  /** Of changes of apps that a webhook receives together. */
  async function detailsOfBatch(apps: string[]): Promise<DeliveryDetails[]> {
    await serving.stop();
    await fixture.newWebhook(hook.url(), { batch: 1 });
    await fixture.change(apps);
    serving = await fixture.startProcess();
    return details();
  }
  const header = (fields: { name: string; value: string }[] = []): Record<string, string> =>
    Object.fromEntries(fields.map(({ name, value }) => [name, value]));

  test('a delivery shows the request as it arrived, without the signature, and the response', async () => {
    hook.respond = (_, response) => response.writeHead(201, { 'x-request': 'r1' }).end('thanks');
    const { request, response } = await detail(hook.url('/apps'));
    const [arrival = assert.fail()] = hook.arrivals;
    assert.deepEqual([request?.url, request?.body], [hook.url('/apps'), arrival.body]);
    const sent = header(request?.headers);
    const arrived = Object.keys(sent).map((name) => [name, arrival.headers[name]]);
    assert.deepEqual(sent, { ...Object.fromEntries(arrived), 'webhook-signature': 'v1,(not stored)' });
    assert.equal(sent['user-agent'], 'app-registry/1.2.3');
    const { headers, ...rest } = response ?? assert.fail();
    assert.equal(header(headers)['x-request'], 'r1');
    assert.deepEqual(rest, { status: 201, body: 'thanks', isBinary: false, isTruncated: false });
  });

  test('secrets in the URL and in the response are stored only in the URL of the webhook', async () => {
    hook.respond = (_, response) =>
      response.writeHead(200, { 'set-cookie': ['a=hush-1', 'b=hush-2'], 'X-Api-Key': 'hush-3' }).end();
    const { request, response } = await detail(hook.url('/apps?key=hush-query').replace('//', '//user:hush-password@'));
    assert.equal(request?.url, hook.url('/apps'));
    const hidden = response?.headers?.filter(({ value }) => value === '(not stored)').map(({ name }) => name);
    assert.deepEqual(hidden, ['set-cookie', 'set-cookie', 'x-api-key']);
    assert.doesNotMatch(JSON.stringify([await requests(), await fixture.deliveries()]), /hush/);
  });

  test('a long response is stored up to 4 KiB, and its header up to 2,048 characters', async () => {
    const text = Array.from({ length: 2_000 }, (_, at) => `é${at % 10}`).join('');
    hook.respond = (_, response) => response.writeHead(200, { 'x-first': '1', 'x-long': 'x'.repeat(3_000) }).end(text);
    const { response } = await detail();
    const first = (bytes: number) => Buffer.from(text).subarray(0, bytes).toString();
    assert.deepEqual([response?.body, response?.isTruncated], [first(4_095), true]);
    assert.equal((await fixture.deliveries())[0]?.response_body, first(1_023));
    assert.deepEqual(Object.keys(header(response?.headers)), ['x-first']);
  });

  for (const bytes of [
    [0x89, 0x50, 0x4e, 0x47],
    [0x61, 0, 0x62],
  ]) {
    test(`a response that is not text is marked, and its body is not shown: ${bytes}`, async () => {
      hook.respond = (_, response) => response.end(Buffer.from(bytes));
      const { response } = await detail();
      assert.deepEqual([response?.isBinary, response && 'body' in response], [true, false]);
    });
  }

  test('an attempt without a response shows its request and the reason, and a future attempt shows neither', async () => {
    const { request, response } = await detail('http://127.0.0.1:1/');
    assert.deepEqual([request?.url, Object.keys(response ?? {})], ['http://127.0.0.1:1/', ['body']]);
    assert.match(response?.body ?? '', /ECONNREFUSED/);
    await serving.stop();
    await fixture.change(['app_b']);
    const { id } = (await fixture.deliveries()).find(({ state }) => state === 'pending') ?? assert.fail();
    assert.ok(!('request' in (await getDelivery(fixture.registry, id))));
  });

  test('each delivery of a batch shows the whole batch as it arrived, which is stored once', async () => {
    const shown = await detailsOfBatch(['app_a', 'app_a', 'app_b', 'app_a']);
    assert.equal((await requests()).length, 2);
    for (const { eventId, request, response } of shown) {
      const arrival = hook.arrivals.find(({ events }) => events.some(({ id }) => id === eventId));
      assert.equal(request?.body, arrival?.body);
      assert.equal(header(request?.headers)['webhook-id'], arrival?.headers['webhook-id']);
      assert.equal(response?.body, 'thanks');
    }
  });

  test('after the first event of a batch is redelivered alone, the others do not show that request', async () => {
    const [first = assert.fail()] = await detailsOfBatch(['app_a', 'app_a']);
    fixture.now = () => Date.now() + 1_000;
    await redeliverDelivery(serving.registry, commandLine, first.id);
    const [redelivered, other] = await details();
    const [, { body, events } = assert.fail()] = hook.arrivals;
    assert.deepEqual([redelivered?.request?.body, events.length], [body, 1]);
    assert.deepEqual([other?.state, other?.request], ['delivered', undefined]);
  });

  test('the last attempt replaces earlier ones, and its request is deleted with its delivery', async () => {
    hook.respond = (_, response) =>
      response.writeHead(hook.arrivals.length < 3 ? 500 : 200).end(`${hook.arrivals.length}`);
    const { id, response, attempts } = await detail();
    assert.deepEqual([attempts, response?.status, response?.body], [3, 200, '3']);
    assert.equal((await requests()).length, 1);
    await fixture.storage.write((transaction) => deleteFinishedDeliveries(transaction, [id]));
    assert.deepEqual(await requests(), []);
  });
});
