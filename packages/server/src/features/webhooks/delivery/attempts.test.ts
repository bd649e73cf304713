import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { redeliverWebhook } from '@appregistrar/testkit/calls/webhooks';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { rowsOf } from '@appregistrar/testkit/registry/recorded';
import { execute } from '@appregistrar/testkit/storage/storage-test';
import { Registry as MetricsRegistry } from 'prom-client';
import { DeliveryFixture } from '../../../../test/webhooks/delivery-fixture.ts';
import { commandLine } from '../../../kernel/registry.ts';
import { observeClock } from '../../../kernel/time.ts';
import { createLogger } from '../../../log.ts';
import type { WebhookRow } from '../../../storage/tables.ts';
import { type DueRequest, listDueQueues, nextRequests } from '../deliveries/next-requests.ts';
import { type DeliveryResult, type Outcome, recordAttempts } from '../deliveries/record-attempts.ts';
import { DeliveryMetrics } from './delivery-metrics.ts';
import { RetryingDatabase } from './retrying-database.ts';
import { AttemptRecorder } from './webhook-worker.ts';

const dayMs = 86_400_000;
const hourMs = 3_600_000;
const start = Date.UTC(2026, 5, 1);
const holder = 'this process';
const exchange = { sentAt: 0, durationMs: 1, url: 'https://hooks.example.com/', userAgent: 'app-registry' };
const accepted: DeliveryResult = { kind: 'accepted', status: 202, text: 'thanks', exchange };
const rejected: DeliveryResult = { kind: 'rejected', status: 500, text: 'sorry', exchange };
const gone: DeliveryResult = { kind: 'gone', status: 410, text: '', exchange };

// A process without its loops and connections: the attempts are what a test says, and so is the time.
forEachEngine((engine) => {
  let fixture: DeliveryFixture;
  let now = start;
  before(async () => {
    fixture = await DeliveryFixture.open(engine);
  });
  afterEach(() => fixture.reset());
  after(() => fixture.close());

  /** A webhook that this process serves. */
  async function serve(given: Partial<WebhookRow> = {}): Promise<WebhookRow> {
    now = start;
    fixture.now = () => now;
    const webhook = await fixture.newWebhook('https://hooks.example.com/', given);
    await fixture.lease({ webhookId: webhook.id, holder });
    return webhook;
  }
  const retrying = { retryMs: [hourMs, dayMs] };
  async function due({ id: webhookId }: { id: string }, { retryMs } = retrying): Promise<DueRequest[]> {
    const page = await listDueQueues(fixture.registry, { webhookId, retryMs, after: '', limit: 100 });
    if (!page) return [];
    const { due: queues, inBatches } = page;
    return nextRequests(fixture.registry, { webhookId, holder, queues, retryMs, inBatches });
  }
  const queues = (requests: DueRequest[]) => requests.map(({ queue }) => queue).toSorted();
  /** Records the same result of attempts at these requests. */
  const record = (requests: DueRequest[], result: DeliveryResult, { retryMs } = retrying) =>
    recordAttempts(
      fixture.registry,
      requests.map((request) => ({ request, result, retryMs })),
    );
  /** Makes the only attempt that is due. */
  async function attempt(webhook: { id: string }, result: DeliveryResult, given = retrying): Promise<Outcome> {
    const requests = await due(webhook, given);
    assert.equal(requests.length, 1);
    const [outcome] = await record(requests, result, given);
    return outcome ?? assert.fail('the attempt was not recorded');
  }
  /** Makes attempts that succeed, one after another, until none is due. Returns their requests. */
  async function sendAll(webhook: { id: string }): Promise<DueRequest[]> {
    const sent: DueRequest[] = [];
    for (let requests = await due(webhook); requests.length > 0; requests = await due(webhook)) {
      sent.push(...requests);
      await record(requests, accepted);
    }
    return sent;
  }
  const states = async () => (await fixture.deliveries()).map(({ state, attempts }) => `${state} ${attempts}`);
  const eventIds = (requests: DueRequest[]) => requests.map(({ deliveries }) => deliveries.map((one) => one.eventId));

  test('the events of an app are due one after another, and those of other apps at the same time', async () => {
    const webhook = await serve();
    await fixture.change(['app_a', 'app_a', 'app_b']);
    const { app_a = [], app_b = [] } = await fixture.committed();
    const first = await due(webhook);
    assert.deepEqual(queues(first), ['app_a', 'app_b']);
    assert.deepEqual(new Set(eventIds(first).flat()), new Set([app_a[0], app_b[0]]));
    const outcomes = await record(first, accepted);
    assert.deepEqual(outcomes, Array(2).fill({ state: 'delivered', failingChanged: false }));
    assert.deepEqual(eventIds(await due(webhook)), [[app_a[1]]]);
    const [delivered] = await fixture.deliveries();
    const { attempts, response_status, response_body, finished_at } = delivered ?? assert.fail();
    assert.deepEqual([attempts, response_status, response_body, finished_at], [1, 202, 'thanks', start]);
  });

  test('a failed attempt delays its app until the next one is due, and no other app', async () => {
    const webhook = await serve();
    await fixture.change(['app_bad', 'app_bad', 'app_good']);
    const bad = (await due(webhook)).filter(({ queue }) => queue === 'app_bad');
    const outcomes = await record(bad, { ...rejected, retryAfterMs: 1_800_000 }, { retryMs: [0] });
    assert.deepEqual(outcomes, [{ state: 'retried', failingChanged: true }]);
    const [{ due_at, attempts, response_status, response_body } = assert.fail()] = await fixture.deliveries();
    assert.deepEqual([due_at, attempts, response_status, response_body], [start + 1_800_000, 1, 500, 'sorry']);
    for (const [time, expected] of [
      [start, ['app_good']],
      [due_at - 1, ['app_good']],
      [due_at, ['app_bad', 'app_good']],
    ] as const) {
      now = time;
      assert.deepEqual(queues(await due(webhook)), expected);
    }
  });

  test('a delivery is given up after its last attempt, and the next one of the app is due', async () => {
    const webhook = await serve();
    await fixture.change(['app_a', 'app_a']);
    const retryMs = [0, 0];
    const outcomes: Outcome[] = [];
    for (let attempts = 0; attempts < 3; attempts += 1) outcomes.push(await attempt(webhook, rejected, { retryMs }));
    outcomes.push(await attempt(webhook, accepted, { retryMs }));
    assert.deepEqual(
      outcomes.map(({ state, failingChanged }) => [state, failingChanged]),
      [
        ['retried', true],
        ['retried', false],
        ['given up', false],
        ['delivered', true],
      ],
    );
    assert.deepEqual(await states(), ['failed 3', 'delivered 1']);
    assert.equal((await fixture.deliveries())[0]?.finished_at, start);
  });

  test('a receiver that is gone disables its webhook, with an event, and pending deliveries remain until it is enabled', async () => {
    const webhook = await serve();
    const subscriber = await fixture.newWebhook('https://changes.example.com/', { types: 'webhook.updated' });
    await fixture.change(['app_a', 'app_a']);
    const outcome = await attempt(webhook, gone);
    assert.deepEqual(outcome.disabledReason, 'The receiver responded with 410 (Gone).');
    const { disabled_at, disabled_reason } = await fixture.webhook(webhook.id);
    assert.deepEqual([disabled_at, disabled_reason], [start, outcome.disabledReason]);
    const last = (await rowsOf(fixture.storage, 'events')).at(-1);
    assert.deepEqual([last?.type, last?.subject_id, last?.actor], ['webhook.updated', webhook.id, 'maintenance']);
    const pending = (await fixture.deliveries()).map(({ webhook_id, state }) => `${webhook_id} ${state}`);
    const ofBoth = [webhook.id, webhook.id, subscriber.id].map((id) => `${id} pending`);
    assert.deepEqual(pending.toSorted(), ofBoth.toSorted());
    const redelivery = { since: '2020-01-01T00:00:00.000Z' };
    await redeliverWebhook(fixture.registry, commandLine, { webhookId: webhook.id, redelivery });
    assert.deepEqual(await due(webhook), []);
    await fixture.setWebhook(webhook.id, { disabled_at: null });
    assert.deepEqual(queues(await due(webhook)), ['app_a']);
  });

  test('a webhook without a success for five days is disabled when a delivery is given up', async () => {
    const webhook = await serve();
    await observeClock(fixture.registry);
    await fixture.change(Array(8).fill('app_a'));
    const giveUp = () => attempt(webhook, rejected, { retryMs: [] });
    await giveUp();
    now += 4 * dayMs;
    await giveUp();
    // A success restarts the five days.
    await attempt(webhook, accepted);
    assert.equal((await fixture.webhook(webhook.id)).failing_since, null);
    now += 4 * dayMs;
    await giveUp();
    const failingSince = now;
    assert.equal((await fixture.webhook(webhook.id)).failing_since, failingSince);
    now = failingSince + 5 * dayMs - 1;
    assert.equal((await giveUp()).disabledReason, undefined);
    now += 1;
    // Not the failure alone.
    const retried = await attempt(webhook, rejected, { retryMs: [0] });
    assert.deepEqual([retried.state, retried.disabledReason], ['retried', undefined]);
    const reason = 'No delivery has succeeded for 5 days.';
    assert.equal((await giveUp()).disabledReason, reason);
    const { disabled_at, disabled_reason } = await fixture.webhook(webhook.id);
    assert.deepEqual([disabled_at, disabled_reason], [now, reason]);
    assert.deepEqual((await states()).slice(-2), ['pending 0', 'pending 0']);
  });

  test('a clock that is ahead does not disable a webhook, whose failures count from the true time afterwards', async () => {
    const webhook = await serve({ failing_since: start });
    const machine = { bootId: 'boot', uptimeMs: () => start };
    await observeClock({ ...fixture.registry, machine: { ...machine, uptimeMs: () => start - 7 * hourMs } });
    await fixture.change(['app_a', 'app_a', 'app_a', 'app_a']);
    const fail = async () => {
      const [request = assert.fail()] = await due(webhook);
      await recordAttempts({ ...fixture.registry, machine }, [{ request, result: rejected, retryMs: [] }]);
    };
    now += 80 * dayMs;
    await fail();
    assert.equal((await fixture.webhook(webhook.id)).disabled_at, null);
    await fixture.setWebhook(webhook.id, { failing_since: null });
    await fail();
    assert.equal((await fixture.webhook(webhook.id)).failing_since, now);
    now = start;
    await fail();
    assert.equal((await fixture.webhook(webhook.id)).failing_since, start);
  });

  test('a change or a failed attempt while the clock is ahead delays nothing once the clock is right again', async () => {
    const webhook = await serve();
    now = start + 80 * dayMs;
    await fixture.change(['app_a', 'app_a']);
    await attempt(webhook, rejected);
    now = start;
    await attempt(webhook, accepted);
    await attempt(webhook, accepted);
    assert.deepEqual(await states(), ['delivered 2', 'delivered 1']);
  });

  test('a process that has lost a lease gets no requests, and does not overwrite what the new holder records', async () => {
    const webhook = await serve();
    await fixture.change(['app_a', 'app_a']);
    const before = await due(webhook);
    const outcome = await attempt(webhook, rejected);
    assert.equal(outcome.state, 'retried');
    const rows = await fixture.deliveries();
    assert.deepEqual(await record(before, accepted), [null]);
    assert.deepEqual(await fixture.deliveries(), rows);
    assert.equal((await fixture.webhook(webhook.id)).failing_since, start);
    now += dayMs;
    assert.deepEqual(queues(await due(webhook)), ['app_a']);
    await fixture.lease({ webhookId: webhook.id, holder: 'another process' });
    await fixture.storage.write((transaction) =>
      execute(transaction, "update webhook_leases set holder = 'another process'"),
    );
    assert.deepEqual(await due(webhook), []);
  });

  test('attempts that end together are recorded together, each with its own result', async () => {
    const [one, two] = [await serve(), await serve()];
    await fixture.change(['app_a', 'app_b', 'app_c']);
    const results: Record<string, DeliveryResult> = { app_a: accepted, app_b: rejected, app_c: gone };
    const requests = [...(await due(one)), ...(await due(two)).filter(({ queue }) => queue === 'app_a')];
    const recorded = await recordAttempts(
      fixture.registry,
      requests.map((request) => ({ request, result: results[request.queue] ?? assert.fail(), retryMs: [] })),
    );
    const outcomes = requests.map(({ webhookId, queue }, at) => [webhookId, queue, recorded[at]] as const);
    const outcomeOf = ({ id }: WebhookRow, app: string) =>
      outcomes.find(([webhookId, queue]) => webhookId === id && queue === app)?.[2];
    // The failure counts first, and the success then ends it.
    assert.deepEqual(outcomeOf(one, 'app_a'), { state: 'delivered', failingChanged: true });
    assert.equal(outcomeOf(one, 'app_b')?.state, 'given up');
    assert.equal(outcomeOf(one, 'app_b')?.disabledReason, undefined);
    assert.match(outcomeOf(one, 'app_c')?.disabledReason ?? '', /410/);
    assert.deepEqual(outcomeOf(two, 'app_a'), { state: 'delivered', failingChanged: false });
    assert.equal((await fixture.webhook(two.id)).disabled_at, null);
  });

  test('an attempt that a lost database cannot record is not tried again once the process ends', async () => {
    const webhook = await serve();
    await fixture.change(['app_a']);
    const [request = assert.fail()] = await due(webhook);
    const process = new AbortController();
    const isLost = Promise.withResolvers<void>();
    const logger = createLogger('warn', { write: () => isLost.resolve() });
    const database = new RetryingDatabase({ logger, pauseMs: dayMs, ended: process.signal });
    const rename = (from: string, to: string) =>
      fixture.storage.write((transaction) => execute(transaction, `alter table ${from} rename to ${to}`));
    await rename('deliveries', 'elsewhere');
    const recorder = new AttemptRecorder(fixture.registry, { database, ended: process.signal });
    const recorded = recorder.record({ request, result: accepted, ...retrying });
    await isLost.promise;
    process.abort();
    await rename('elsewhere', 'deliveries');
    assert.equal(await recorded, undefined);
    assert.deepEqual(await states(), ['pending 0']);
  });

  test('all deliveries that are redelivered are due in order, under the same ids', async () => {
    const webhook = await serve();
    await fixture.change(['app_a', 'app_a', 'app_a']);
    const first = await sendAll(webhook);
    now += 60_000;
    const redelivery = { since: new Date(start).toISOString() };
    await redeliverWebhook(fixture.registry, commandLine, { webhookId: webhook.id, redelivery });
    const { app_a } = await fixture.committed();
    for (const sent of [first, await sendAll(webhook)]) {
      assert.deepEqual(
        sent.map(({ id }) => id),
        app_a,
      );
    }
  });

  test('a request goes to the current address, and both secrets sign it during a rotation', async () => {
    const previous = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const webhook = await serve({ previous_secret: previous, previous_secret_until: start + dayMs });
    await fixture.change(['app_a']);
    const url = 'https://moved.example.com/';
    await fixture.setWebhook(webhook.id, { url });
    for (const [time, secrets] of [
      [start + dayMs - 1, [webhook.secret, previous]],
      [start + dayMs, [webhook.secret]],
    ] as const) {
      now = time;
      const [request] = await due(webhook);
      assert.deepEqual([request?.url, request?.secrets], [url, secrets]);
    }
  });

  test('an event names the trace of its change, which a request has if it is that of all of its events', async () => {
    const [trace, other] = ['4bf92f3577b34da6a3ce929d0e0e4736', '0af7651916cd43dd8448eb211c80319c'];
    const [one, same, another] = [
      `00-${trace}-${'1'.repeat(16)}-01`,
      `00-${trace}-${'2'.repeat(16)}-01`,
      `00-${other}-${'1'.repeat(16)}-00`,
    ];
    const traces: Record<string, (string | undefined)[]> = {
      app_none: [undefined],
      app_one: [one],
      app_same: [one, same],
      app_two: [one, another],
      app_some: [one, undefined],
    };
    const webhook = await serve({ batch: 1 });
    for (const [app, traceparents] of Object.entries(traces)) {
      for (const traceparent of traceparents) await fixture.change([app], fixture.registry, { traceparent });
    }
    const requests = new Map((await due(webhook)).map((request) => [request.queue, request]));
    for (const [app, traceparents] of Object.entries(traces)) {
      const { traceparent, body = '' } = requests.get(app) ?? {};
      assert.equal(traceparent, ['app_one', 'app_same'].includes(app) ? one : undefined, app);
      const events: { traceparent?: string }[] = JSON.parse(body);
      const named = events.map((event) => event.traceparent);
      assert.deepEqual(named, traceparents, app);
    }
  });

  test('pending deliveries are measured by number and age, except those of a disabled webhook', async () => {
    const webhook = await serve();
    await serve({ disabled_at: null });
    const off = await serve();
    const metrics = new MetricsRegistry();
    new DeliveryMetrics(fixture.registry, metrics).attempted('given up', 2);
    const text = () => metrics.metrics();
    assert.match(await text(), /^webhook_oldest_pending_age_seconds 0$/m);
    await fixture.change(['app_a']);
    await fixture.setWebhook(off.id, { disabled_at: 1 });
    now += 30_000;
    await fixture.change(['app_b']);
    now += 12_000;
    await record((await due(webhook)).slice(0, 1), accepted);
    assert.match(await text(), /^webhook_deliveries_pending 3$/m);
    assert.match(await text(), /^webhook_oldest_pending_age_seconds 42$/m);
    // Queued while the clock was ahead: the time until then.
    const ahead = start + 80 * dayMs + 42_000;
    await fixture.storage.write((transaction) => execute(transaction, `update deliveries set created_at = ${ahead}`));
    assert.match(await text(), /^webhook_oldest_pending_age_seconds 6912000$/m);
    assert.match(await text(), /^webhook_attempts_total\{outcome="given_up"\} 2$/m);
  });

  test('a batch has up to 100 events of one app in order, and is acknowledged as a whole', async () => {
    const webhook = await serve({ batch: 1 });
    await fixture.change(Array.from({ length: 270 }, (_, at) => (at % 3 === 2 ? 'app_b' : 'app_a')));
    const { app_a = [], app_b = [] } = await fixture.committed();
    const first = await due(webhook);
    assert.deepEqual(
      new Map(first.map(({ queue }, at) => [queue, eventIds(first)[at]])),
      new Map([
        ['app_a', app_a.slice(0, 100)],
        ['app_b', app_b],
      ]),
    );
    await record(first, accepted);
    assert.deepEqual(eventIds(await due(webhook)), [app_a.slice(100)]);
  });

  test('a failed batch is retried as a whole under the same id, before any later events, and given up as a whole', async () => {
    const webhook = await serve({ batch: 1 });
    await fixture.change(['app_a', 'app_a', 'app_a']);
    const [first = assert.fail()] = await due(webhook);
    assert.match(first.id, /^batch_[0-9a-f]{32}$/);
    const retryMs = [0];
    await attempt(webhook, rejected, { retryMs });
    await fixture.change(['app_a', 'app_a']);
    const [second] = await due(webhook);
    assert.deepEqual([second?.id, second?.body, second?.attempts], [first.id, first.body, 1]);
    assert.equal((await attempt(webhook, rejected, { retryMs })).state, 'given up');
    const [next] = await due(webhook);
    assert.notEqual(next?.id, first.id);
    await attempt(webhook, accepted);
    assert.deepEqual(await states(), [...Array(3).fill('failed 2'), ...Array(2).fill('delivered 1')]);
  });

  test('a batch has at most 1 MiB, and a larger event is sent alone', async () => {
    const webhook = await serve({ batch: 1 });
    for (const megabytes of [0.4, 0.4, 0.4, 2, 0.1, 0.1]) {
      const longDescription = 'é'.repeat((megabytes * 1_000_000) / 2);
      await fixture.change(['app_a'], fixture.registry, { after: { listingInfo: { longDescription } } });
    }
    const sent = await sendAll(webhook);
    assert.deepEqual(
      sent.map(({ deliveries }) => deliveries.length),
      [2, 1, 1, 2],
    );
    const batches = sent.filter(({ deliveries }) => deliveries.length > 1);
    assert.ok(batches.every(({ body }) => Buffer.byteLength(body) <= 1_048_576));
  });

  test('a webhook that is changed to batches, and back, gets every event in order', async () => {
    const webhook = await serve();
    const sent: DueRequest[] = [];
    for (const batch of [0, 1, 0] as const) {
      await fixture.setWebhook(webhook.id, { batch });
      await fixture.change(['app_a', 'app_a']);
      sent.push(...(await sendAll(webhook)));
    }
    const arrays = sent.map(({ body }) => body.startsWith('['));
    assert.deepEqual(arrays, [false, false, true, false, false]);
    assert.deepEqual(eventIds(sent).flat(), (await fixture.committed()).app_a);
  });
});
