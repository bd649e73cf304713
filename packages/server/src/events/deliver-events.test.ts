import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { Webhook } from 'standardwebhooks';
import { commandLine } from '../registry/registry.ts';
import { SecretKeys } from '../registry/secret-keys.ts';
import { observeClock } from '../registry/trusted-time.ts';
import { redeliverSince } from '../registry/webhooks/deliveries/redeliver-since.ts';
import { encryptWebhookSecrets } from '../registry/webhooks/encrypt-webhook-secrets.ts';
import { shardsPerWebhook } from '../registry/webhooks/webhook-shard.ts';
import { clearFailing, disableWebhook } from '../storage/queries/webhooks.ts';
import { DeliveryFixture } from './testing/delivery-fixture.ts';
import { HookReceiver, until } from './testing/hook-receiver.ts';

const allShards = [...Array(shardsPerWebhook).keys()];

const dayMs = 86_400_000;
const warn = 40;
const error = 50;

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

  test('a webhook receives every event that it subscribes to, signed with its secret, and the delivery is recorded', async () => {
    const webhook = await fixture.newWebhook(hook.url('/all'));
    await fixture.newWebhook(hook.url('/other'), { types: 'app.created app.deleted' });
    await fixture.newWebhook(hook.url('/some'), { types: 'app.deleted app.updated' });
    await fixture.newWebhook(hook.url('/disabled'), { disabled_at: 1 });
    hook.respond = (_, response) => response.writeHead(202).end('thanks');
    await fixture.startProcess();
    await fixture.change(['app_a']);
    await hook.untilArrived(2);
    await finished();
    assert.deepEqual(hook.arrivals.map(({ path }) => path).toSorted(), ['/all', '/some']);
    const arrival = hook.arrivals.find(({ path }) => path === '/all');
    const [id] = (await fixture.committed()).app_a ?? [];
    const event = new Webhook(webhook.secret).verify(arrival?.body ?? '', arrival?.headers ?? {}) as { id: string };
    assert.deepEqual([event.id, arrival?.headers['webhook-id']], [id, id]);
    for (const { state, attempts, response_status, response_body, finished_at } of await fixture.deliveries()) {
      assert.deepEqual([state, attempts, response_status, response_body], ['delivered', 1, 202, 'thanks']);
      assert.ok(finished_at !== null);
    }
  });

  test('both secrets sign during a rotation, and only the new one afterwards', async () => {
    const until = Date.now() + dayMs;
    const webhook = await fixture.newWebhook(hook.url(), {
      previous_secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      previous_secret_until: until,
    });
    await fixture.startProcess();
    await fixture.change(['app_a']);
    const [first] = await hook.untilArrived(1);
    await finished();
    fixture.now = () => until;
    await fixture.change(['app_a']);
    const [, second] = await hook.untilArrived(2);
    const signatures = [first, second].map((arrival) => arrival?.headers['webhook-signature']?.split(' ').length);
    assert.deepEqual(signatures, [2, 1]);
    for (const secret of [webhook.secret, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw']) {
      assert.doesNotThrow(() => new Webhook(secret).verify(first?.body ?? '', first?.headers ?? {}));
    }
  });

  test('deliveries wait for a process that has the key of the secret that signs them', async () => {
    const secretKeys = [createSecretKey(randomBytes(32))];
    const { id, secret } = await fixture.newWebhook(hook.url());
    const without = await fixture.startProcess();
    await until(() => fixture.isServed(id));
    await encryptWebhookSecrets({ ...without.registry, secrets: new SecretKeys(secretKeys) });
    await fixture.change(['app_a']);
    await until(async () => !(await fixture.isServed(id)));
    const errors = () => without.log.lines.filter(({ level }) => level === error);
    await until(async () => errors().length > 0);
    await fixture.startProcess({ secretKeys });
    const [arrival] = await hook.untilArrived(1);
    new Webhook(secret).verify(arrival?.body ?? '', arrival?.headers ?? {});
    await finished();
    assert.deepEqual(
      errors().map(({ webhookIds, msg }) => [webhookIds, msg]),
      [[[id], 'webhooks skipped by this process: SECRETS_KEY lacks the key that encrypted their secrets']],
    );
  });

  test('an event committed by the process itself is delivered at once, without polling', async () => {
    await fixture.newWebhook(hook.url());
    const { registry } = await fixture.startProcess({ pollMs: 60_000 });
    await until(async () => fixture.isServed((await webhookIds())[0] ?? ''));
    // The first poll, which finds nothing.
    await sleep(200);
    const beganAt = performance.now();
    await fixture.change(['app_a', 'app_a', 'app_b'], registry);
    await hook.untilArrived(3);
    assert.ok(performance.now() - beganAt < 20_000);
  });

  test('events of an app arrive in commit order despite failures, without delaying other apps', async () => {
    await fixture.newWebhook(hook.url());
    let failed = 0;
    hook.respond = (_, response) => {
      const fails = Math.random() < 0.4;
      if (fails) failed += 1;
      response.writeHead(fails ? 500 : 200).end();
    };
    await fixture.startProcess();
    const apps = ['app_a', 'app_b', 'app_c'];
    await fixture.change(Array.from({ length: 90 }, (_, at) => apps[at % 3] ?? ''));
    await finished();
    assert.deepEqual(hook.byQueue(), await fixture.committed());
    assert.equal(hook.arrivals.length, 90 + failed);
  });

  test('an app whose delivery fails waits without delaying other apps', async () => {
    await fixture.newWebhook(hook.url());
    hook.respond = ({ event }, response) => response.writeHead(event.appId === 'app_bad' ? 500 : 200).end('sorry');
    const { log } = await fixture.startProcess({ retryMs: [dayMs] });
    await fixture.change(['app_bad', 'app_bad', 'app_good', 'app_bad', 'app_good']);
    await until(async () => hook.byQueue().app_good?.length === 2 && hook.byQueue().app_bad?.length === 1);
    await until(async () => (await fixture.deliveries()).filter(({ state }) => state === 'delivered').length === 2);
    await until(async () =>
      (await fixture.deliveries()).some(({ attempts, state }) => attempts === 1 && state === 'pending'),
    );
    const [bad, ...later] = (await fixture.deliveries()).filter(({ queue }) => queue === 'app_bad');
    assert.deepEqual([bad?.attempts, bad?.response_status, bad?.response_body], [1, 500, 'sorry']);
    const waitMs = (bad?.due_at ?? 0) - (bad?.attempted_at ?? 0);
    assert.ok(waitMs >= 0.9 * dayMs && waitMs <= 1.1 * dayMs, `${waitMs}`);
    assert.ok(later.every(({ attempts }) => attempts === 0));
    assert.equal(hook.byQueue().app_bad?.length, 1);
    assert.deepEqual(log.lines.filter(({ level }) => level >= warn).length, 1);
  });

  test('an unresponsive webhook delays neither others nor shutdown', async () => {
    await fixture.newWebhook(hook.url('/slow'), { requests_at_once: 10 });
    await fixture.newWebhook(hook.url('/quick'));
    hook.respond = ({ path }, response) => path === '/quick' && response.end();
    const { stop } = await fixture.startProcess({ graceMs: 100, timeoutMs: 120_000 });
    await fixture.change(Array.from({ length: 30 }, (_, at) => `app_${at}`));
    await until(() => hook.arrivals.filter(({ path }) => path === '/quick').length === 30);
    const slow = hook.arrivals.filter(({ path }) => path === '/slow').length;
    assert.ok(slow <= 10, `${slow} requests at one time`);
    // A timer of the same event loop, so that a busy machine delays both.
    const isStopped = await Promise.race([stop().then(() => true), sleep(5_000, false, { ref: false })]);
    assert.ok(isStopped);
    const unattempted = (await fixture.deliveries()).filter(({ state }) => state === 'pending');
    assert.deepEqual([unattempted.length, unattempted.every(({ attempts }) => attempts === 0)], [30, true]);
  });

  test('with more apps than concurrent requests every app is served, however many deliveries the first ones have', async () => {
    await fixture.newWebhook(hook.url(), { requests_at_once: 2 });
    const busy = Array.from({ length: 200 }, (_, at) => `app_${at % 2}`);
    await fixture.change([...busy, 'app_2', 'app_3', 'app_4']);
    await fixture.startProcess();
    await hook.untilArrived(203);
    const positions = ['app_2', 'app_3', 'app_4'].map((app) =>
      hook.arrivals.findIndex(({ event }) => event.appId === app),
    );
    assert.ok(Math.max(...positions) < 50, `${positions}`);
    await finished();
    assert.deepEqual(hook.byQueue(), await fixture.committed());
  });

  test('an app without a notification is served, however many changes this process makes to others', async () => {
    await fixture.newWebhook(hook.url(), { requests_at_once: 1 });
    hook.respond = (_, response) => setTimeout(() => response.end(), 3);
    const { registry } = await fixture.startProcess();
    let done = false;
    const takeChanges = async () => {
      for (let at = 0; !done; at += 1) {
        await fixture.change([`app_${at % 30}`], registry);
        await sleep(1);
      }
    };
    const taking = takeChanges();
    await hook.untilArrived(50);
    await fixture.change(['app_quiet']);
    await until(() => hook.byQueue().app_quiet);
    done = true;
    await taking;
  });

  test('a delivery is given up after its last attempt, with a log line, and the next one of the app is sent', async () => {
    await fixture.newWebhook(hook.url());
    const refused: string[] = [];
    hook.respond = ({ event }, response) => {
      refused[0] ??= event.id;
      response.writeHead(event.id === refused[0] ? 400 : 200).end();
    };
    const { log, metrics } = await fixture.startProcess({ retryMs: [0, 0] });
    await fixture.change(['app_a', 'app_a']);
    await finished();
    const rows = await fixture.deliveries();
    assert.deepEqual(
      rows.map(({ state, attempts }) => [state, attempts]),
      [
        ['failed', 3],
        ['delivered', 1],
      ],
    );
    const messages = log.lines.filter(({ level }) => level >= 30).map(({ msg }) => msg);
    assert.deepEqual(messages, [
      'webhook delivery failed',
      'webhook delivery given up: last attempt failed',
      'webhook deliveries succeed again',
    ]);
    const text = await metrics.metrics();
    for (const line of ['"delivered"} 1', '"retried"} 2', '"given_up"} 1']) {
      assert.ok(text.includes(`webhook_attempts_total{outcome=${line}\n`), text);
    }
  });

  test('a pause that the receiver requests is respected', async () => {
    await fixture.newWebhook(hook.url());
    hook.respond = (_, response) => response.writeHead(429, { 'retry-after': '1800' }).end();
    await fixture.startProcess();
    await fixture.change(['app_a']);
    await until(async () => (await fixture.deliveries())[0]?.attempts === 1);
    const [delivery] = await fixture.deliveries();
    assert.equal((delivery?.due_at ?? 0) - (delivery?.attempted_at ?? 0), 1_800_000);
  });

  test('by the default schedule, the eighth attempt is the last', async () => {
    let now = Date.now();
    fixture.now = () => now;
    await fixture.newWebhook(hook.url());
    hook.respond = (_, response) => response.writeHead(500).end();
    const minute = 60_000;
    await fixture.startProcess({
      retryMs: [5_000, 5 * minute, 30 * minute, 120 * minute, 300 * minute, 600 * minute, 23_095_000],
    });
    await fixture.change(['app_a']);
    const beganAt = now;
    for (let attempts = 1; attempts < 8; attempts += 1) {
      await until(async () => (await fixture.deliveries())[0]?.attempts === attempts);
      const { due_at: dueAt = 0 } = (await fixture.deliveries())[0] ?? {};
      now = dueAt - 1;
      await sleep(60);
      assert.equal(hook.arrivals.length, attempts, 'no attempt before its time');
      now = dueAt;
    }
    await finished();
    assert.equal(hook.arrivals.length, 8);
    assert.ok(Math.abs(now - beganAt - dayMs) < 0.1 * dayMs);
    assert.equal((await fixture.deliveries())[0]?.state, 'failed');
  });

  test('a receiver that is gone disables its webhook at once, with an event, and pending deliveries remain', async () => {
    const { id } = await fixture.newWebhook(hook.url('/gone'), { requests_at_once: 1 });
    await fixture.newWebhook(hook.url('/changes'), { types: 'webhook.updated' });
    hook.respond = ({ path }, response) => response.writeHead(path === '/gone' ? 410 : 200).end();
    const { log } = await fixture.startProcess();
    await fixture.change(['app_a', 'app_a', 'app_b']);
    await until(() => hook.arrivals.some(({ path }) => path === '/changes'));
    const webhook = await fixture.webhook(id);
    assert.ok(webhook.disabled_at !== null);
    assert.match(webhook.disabled_reason ?? '', /410/);
    assert.deepEqual(
      hook.arrivals.map(({ path, event }) => [path, event.type, event.subjectId]),
      [
        ['/gone', 'app.updated', 'app_a'],
        ['/changes', 'webhook.updated', id],
      ],
    );
    const pending = (await fixture.deliveries()).filter((row) => row.webhook_id === id);
    assert.deepEqual(new Set(pending.map(({ state }) => state)), new Set(['pending']));
    assert.ok(log.lines.some(({ level, webhookId }) => level === warn && webhookId === id));
    await fixture.change(['app_a']);
    await sleep(100);
    assert.equal(hook.arrivals.length, 2);
  });

  test('a webhook without a success for five days is disabled when a delivery is given up', async () => {
    let now = Date.now();
    fixture.now = () => now;
    const { id } = await fixture.newWebhook(hook.url());
    hook.respond = (_, response) => response.writeHead(500).end();
    const { registry } = await fixture.startProcess({ retryMs: [dayMs] });
    await observeClock(registry);
    await fixture.change(['app_a', 'app_a', 'app_a', 'app_a', 'app_a', 'app_a', 'app_a']);
    const attempted = async (count: number) => {
      await until(() => hook.arrivals.length >= count);
      await until(async () => (await fixture.deliveries()).reduce((sum, row) => sum + row.attempts, 0) === count);
    };
    // Two attempts each, about a day apart.
    for (let given = 1; given <= 4; given += 1) {
      await attempted(2 * given - 1);
      assert.equal((await fixture.webhook(id)).disabled_at, null);
      now += 1.2 * dayMs;
    }
    await attempted(9);
    now += 1.2 * dayMs;
    await until(async () => (await fixture.webhook(id)).disabled_at !== null);
    const states = (await fixture.deliveries()).map(({ state }) => state);
    assert.deepEqual(states, ['failed', 'failed', 'failed', 'failed', 'failed', 'pending', 'pending']);
    assert.match((await fixture.webhook(id)).disabled_reason ?? '', /No delivery has succeeded for 6 days\./);
  });

  test('an attempt that fails while the clock is ahead delays nothing once the clock is right again', async () => {
    const start = Date.now();
    fixture.now = () => start + 80 * dayMs;
    await fixture.newWebhook(hook.url());
    hook.respond = (_, response) => response.writeHead(503).end();
    await fixture.startProcess({ retryMs: [3_600_000, 36_000_000] });
    await fixture.change(['app_a', 'app_a']);
    await until(async () => (await fixture.deliveries())[0]?.attempts === 1);
    hook.respond = (_, response) => response.end();
    fixture.now = () => start;
    await fixture.change(['app_a']);
    await finished();
    const finishedAt = (await fixture.deliveries()).map(({ state, finished_at }) => [state, finished_at]);
    assert.deepEqual(finishedAt, Array(3).fill(['delivered', start]));
    const arrived = hook.arrivals.slice(1).map(({ event }) => event.id);
    assert.deepEqual(
      arrived,
      (await fixture.deliveries()).map(({ event_id }) => event_id),
    );
  });

  test('a clock that is ahead does not disable a webhook, whose failures count from the true time afterwards', async () => {
    let now = Date.now();
    const start = now;
    fixture.now = () => now;
    const { id } = await fixture.newWebhook(hook.url(), { failing_since: now });
    hook.respond = (_, response) => response.writeHead(500).end();
    const { registry } = await fixture.startProcess({ retryMs: [] });
    await observeClock({ ...registry, machine: { ...registry.machine, uptimeMs: () => start - 7 * 3_600_000 } });
    registry.machine.uptimeMs = () => start;
    now += 80 * dayMs;
    await fixture.change(['app_a']);
    await finished();
    assert.equal((await fixture.webhook(id)).disabled_at, null);
    await fixture.storage.write((transaction) => clearFailing(transaction, { id }));
    await fixture.change(['app_b']);
    await finished();
    assert.equal((await fixture.webhook(id)).failing_since, now);
    now = start;
    await fixture.change(['app_b']);
    await finished();
    assert.equal((await fixture.webhook(id)).failing_since, start);
  });

  test('the age of a delivery queued while the clock was ahead is the time until then', async () => {
    const start = Date.now();
    fixture.now = () => start;
    await fixture.newWebhook(hook.url());
    hook.respond = (_, response) => response.writeHead(500).end();
    const { metrics } = await fixture.startProcess({ retryMs: [dayMs] });
    await fixture.change(['app_a']);
    const row = { created_at: start + 80 * dayMs };
    await until(async () => (await fixture.deliveries())[0]?.attempts === 1);
    await fixture.storage.write((transaction) =>
      transaction.run(transaction.builder.updateTable('deliveries').set(row).compile()),
    );
    assert.match(await metrics.metrics(), /^webhook_oldest_pending_age_seconds 6912000$/m);
  });

  test('a success in between restarts the five days', async () => {
    let now = Date.now();
    fixture.now = () => now;
    const { id } = await fixture.newWebhook(hook.url());
    hook.respond = (_, response) => response.writeHead(500).end();
    const { registry } = await fixture.startProcess({ retryMs: [] });
    await observeClock(registry);
    await fixture.change(['app_a']);
    await finished();
    now += 4 * dayMs;
    hook.respond = (_, response) => response.end();
    await fixture.change(['app_a']);
    await finished();
    assert.equal((await fixture.webhook(id)).failing_since, null);
    now += 4 * dayMs;
    hook.respond = (_, response) => response.writeHead(500).end();
    await fixture.change(['app_a']);
    await finished();
    const { failing_since, disabled_at } = await fixture.webhook(id);
    assert.deepEqual([failing_since, disabled_at], [now, null]);
  });

  test('a disabled webhook receives nothing, and continues with pending deliveries once it is enabled', async () => {
    const { id } = await fixture.newWebhook(hook.url());
    const { registry } = await fixture.startProcess();
    await fixture.change(['app_a']);
    await finished();
    await fixture.storage.write((transaction) => disableWebhook(transaction, { id, at: 1, reason: 'test' }));
    const redelivery = { since: '2020-01-01T00:00:00.000Z' };
    await redeliverSince(registry, commandLine, { webhookId: id, redelivery });
    await sleep(200);
    assert.equal(hook.arrivals.length, 1);
    await fixture.storage.write((transaction) =>
      transaction.run(
        transaction.builder.updateTable('webhooks').set({ disabled_at: null }).where('id', '=', id).compile(),
      ),
    );
    await hook.untilArrived(2);
    await finished();
  });

  test('two processes share the work without repeating any, and one continues when the other stops', async () => {
    await fixture.newWebhook(hook.url('/a'));
    await fixture.newWebhook(hook.url('/b'));
    const first = await fixture.startProcess();
    const second = await fixture.startProcess();
    const apps = Array.from({ length: 100 }, (_, at) => `app_${at % 7}`);
    await Promise.all([fixture.change(apps, first.registry), fixture.change(apps, second.registry)]);
    await finished();
    assert.equal(hook.arrivals.length, 400);
    await first.stop();
    await fixture.change(['app_a'], second.registry);
    await hook.untilArrived(402);
    await finished();
    assert.equal(hook.arrivals.length, 402);
  });

  test('the shards of a killed process are taken over when its lease expires, and not before', async () => {
    const leaseMs = 700;
    const { id } = await fixture.newWebhook(hook.url());
    await fixture.lease({ webhookId: id, holder: 'killed', shards: allShards });
    await fixture.change(['app_a']);
    const beganAt = performance.now();
    await fixture.startProcess({ leaseMs });
    await hook.untilArrived(1);
    assert.ok(performance.now() - beganAt >= leaseMs);
    await finished();
    assert.deepEqual([...(await fixture.shardsByHolder(id)).values()], [shardsPerWebhook]);
  });

  test('a webhook is released when the processes end', async () => {
    const { id } = await fixture.newWebhook(hook.url());
    const { stop } = await fixture.startProcess({ leaseMs: 300 });
    await until(async () => (await fixture.shardsByHolder(id)).size === 1);
    await stop();
    assert.deepEqual([...(await fixture.shardsByHolder(id))], []);
  });

  test('a live process renews its leases and keeps its share, even if the clocks of others are wrong', async () => {
    // A busy machine may hold up for a second what renews them.
    const leaseMs = 2_000;
    const { id } = await fixture.newWebhook(hook.url());
    const first = await fixture.startProcess({ leaseMs });
    await until(async () => (await fixture.shardsByHolder(id)).size === 1);
    const [[holder] = []] = [...(await fixture.shardsByHolder(id))];
    const now = Date.now();
    fixture.now = () => now + dayMs;
    await fixture.startProcess({ leaseMs });
    await until(async () => (await fixture.shardsByHolder(id)).size === 2);
    await sleep(2 * leaseMs);
    assert.equal((await fixture.shardsByHolder(id)).get(holder ?? ''), shardsPerWebhook / 2);
    assert.ok(!first.log.lines.some(({ level }) => level >= warn));
  });

  test('processes share each webhook evenly within seconds of a start or an end', async () => {
    const webhooks = [await fixture.newWebhook(hook.url('/a')), await fixture.newWebhook(hook.url('/b'))];
    const counts = async () =>
      Promise.all(webhooks.map(async ({ id }) => [...(await fixture.shardsByHolder(id)).values()].toSorted()));
    const shared = (...count: number[]) =>
      until(async () => JSON.stringify(await counts()) === JSON.stringify([count, count]));
    const first = await fixture.startProcess();
    await shared(16);
    await fixture.startProcess();
    await shared(8, 8);
    await fixture.startProcess();
    await shared(5, 5, 6);
    await first.stop();
    await shared(8, 8);
  });

  test('two processes send to one webhook at the same time, and the order of each app holds despite retries', async () => {
    await fixture.newWebhook(hook.url(), { requests_at_once: 3 });
    let failed = 0;
    let [underWay, most] = [0, 0];
    hook.respond = async (_, response) => {
      underWay += 1;
      most = Math.max(most, underWay);
      await sleep(10);
      underWay -= 1;
      const fails = Math.random() < 0.3;
      if (fails) failed += 1;
      response.writeHead(fails ? 500 : 200).end();
    };
    await fixture.change(Array.from({ length: 300 }, (_, at) => `app_${at % 30}`));
    await Promise.all([fixture.startProcess(), fixture.startProcess()]);
    await finished();
    assert.deepEqual(hook.byQueue(), await fixture.committed());
    assert.equal(hook.arrivals.length, 300 + failed);
    assert.ok(most > 3, `${most} requests at one time`);
  });

  test('a change by a process whose clock is ahead is also delivered at once', async () => {
    await fixture.newWebhook(hook.url());
    const now = Date.now();
    fixture.now = () => now + dayMs;
    await fixture.change(['app_a']);
    fixture.now = () => now;
    await fixture.startProcess();
    await hook.untilArrived(1);
    await finished();
  });

  test('a process that has lost a lease does not overwrite what the new holder records', async () => {
    const { id } = await fixture.newWebhook(hook.url());
    let release = () => {};
    hook.respond = (_, response) => {
      release = () => response.writeHead(500).end();
    };
    await fixture.startProcess({ leaseMs: 600_000 });
    await fixture.change(['app_a', 'app_a']);
    await hook.untilArrived(1);
    await fixture.storage.write(async (transaction) => {
      await transaction.insertNew('webhook_processes', [{ id: 'another', beat: 0, without_key: '' }]);
      const lost = transaction.builder.updateTable('webhook_leases').set({ holder: 'another' });
      await transaction.run(lost.where('webhook_id', '=', id).compile());
    });
    await fixture.storage.write((transaction) =>
      transaction.run(
        transaction.builder.updateTable('deliveries').set({ attempts: 1 }).where('due_at', '>', 0).compile(),
      ),
    );
    const before = await fixture.deliveries();
    release();
    await sleep(300);
    assert.deepEqual(await fixture.deliveries(), before);
    assert.equal(hook.arrivals.length, 1);
  });

  test('loss and recovery of the database are logged once each, and deliveries are not repeated', async () => {
    await fixture.newWebhook(hook.url());
    const { log, registry } = await fixture.startProcess({ pollMs: 50 });
    await until(async () => fixture.isServed((await webhookIds())[0] ?? ''));
    let release = () => {};
    hook.respond = (_, response) => {
      release = () => response.end();
    };
    await fixture.change(['app_a'], registry);
    await hook.untilArrived(1);
    await rename('deliveries', 'elsewhere');
    hook.respond = (_, response) => response.end();
    release();
    await until(() => log.lines.some(({ level }) => level === warn));
    await sleep(500);
    await rename('elsewhere', 'deliveries');
    await finished();
    await fixture.change(['app_b'], registry);
    await hook.untilArrived(2);
    await until(() => log.text.includes('event delivery resumed'));
    assert.equal(hook.arrivals.length, 2);
    const messages = log.lines.filter(({ level }) => level >= 30).map(({ msg }) => msg);
    assert.deepEqual(messages, ['event delivery paused: database unavailable', 'event delivery resumed']);
  });

  test('a process that cannot renew its leases aborts its attempts before another one takes over', async () => {
    const { id } = await fixture.newWebhook(hook.url());
    let closed = false;
    hook.respond = (_, response) => {
      response.on('close', () => {
        closed = true;
      });
    };
    await fixture.startProcess({ leaseMs: 600 });
    await fixture.change(['app_a']);
    await hook.untilArrived(1);
    await rename('webhooks', 'elsewhere');
    await until(() => closed);
    await rename('elsewhere', 'webhooks');
    assert.ok((await fixture.deliveries())[0]?.attempts === 0);
    hook.respond = (_, response) => response.end();
    await finished();
    assert.ok((await fixture.webhook(id)).failing_since === null);
  });

  test('pending deliveries are measured by number and age, except those of a disabled webhook', async () => {
    let now = Date.now();
    fixture.now = () => now;
    await fixture.newWebhook(hook.url('/dead'));
    await fixture.newWebhook(hook.url('/taking'));
    const off = await fixture.newWebhook(hook.url('/off'));
    hook.respond = ({ path }, response) => response.writeHead(path === '/taking' ? 200 : 500).end();
    const { metrics } = await fixture.startProcess({ retryMs: [dayMs] });
    await fixture.change(['app_a']);
    await fixture.storage.write((transaction) => disableWebhook(transaction, { id: off.id, at: 1, reason: 'test' }));
    now += 30_000;
    await fixture.change(['app_a', 'app_b']);
    now += 12_000;
    await until(async () => (await fixture.deliveries()).filter(({ state }) => state === 'delivered').length === 3);
    const text = await metrics.metrics();
    assert.match(text, /^webhook_deliveries_pending 3$/m);
    assert.match(text, /^webhook_oldest_pending_age_seconds 42$/m);
    await rename('deliveries', 'elsewhere');
    const without = await metrics.metrics();
    assert.doesNotMatch(without, /^webhook_deliveries_pending /m);
    assert.match(without, /^webhook_attempts_total\{outcome="delivered"\} 3$/m);
    await rename('elsewhere', 'deliveries');
  });

  async function webhookIds(): Promise<string[]> {
    const { reader } = fixture.storage;
    return (await reader.rows(reader.builder.selectFrom('webhooks').select('id').compile())).map(({ id }) => id);
  }

  async function rename(table: string, to: string): Promise<void> {
    await fixture.storage.write((transaction) =>
      transaction.rows(transaction.builder.schema.alterTable(table).renameTo(to).compile() as never),
    );
  }
});
