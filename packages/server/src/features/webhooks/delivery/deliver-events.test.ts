import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { after, afterEach, before, describe, test } from 'node:test';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import type { HookReceiver } from '@appregistrar/testkit/http/hook-receiver';
import { execute } from '@appregistrar/testkit/storage/storage-test';
import { Webhook } from 'standardwebhooks';
import { verifyWebhookBatch } from '../../../../../client/src/index.ts';
import { DeliveryFixture } from '../../../../test/webhooks/delivery-fixture.ts';
import { SecretKeys } from '../../../kernel/secret-keys.ts';
import { encryptWebhookSecrets } from '../webhook-secrets.ts';

const dayMs = 86_400_000;
const warn = 40;
const error = 50;

forEachEngine((engine) => {
  let fixture: DeliveryFixture;
  let hook: HookReceiver;
  before(async () => {
    fixture = await DeliveryFixture.open(engine);
    hook = fixture.hook;
  });
  afterEach(() => fixture.reset());
  after(() => fixture.close());

  test('a webhook receives every event that it subscribes to, signed with its secret, and the delivery is recorded', async () => {
    const webhook = await fixture.newWebhook(hook.url('/all'));
    await fixture.newWebhook(hook.url('/other'), { types: 'app.created app.deleted' });
    await fixture.newWebhook(hook.url('/some'), { types: 'app.deleted app.updated' });
    await fixture.newWebhook(hook.url('/disabled'), { disabled_at: 1 });
    hook.respond = (_, response) => response.writeHead(202).end('thanks');
    await fixture.startProcess();
    await fixture.change(['app_a']);
    await hook.untilArrived(2);
    await fixture.finished();
    assert.deepEqual(hook.arrivals.map(({ path }) => path).toSorted(), ['/all', '/some']);
    const arrival = hook.arrivals.find(({ path }) => path === '/all') ?? assert.fail();
    const [id] = (await fixture.committed()).app_a ?? [];
    const event = new Webhook(webhook.secret).verify(arrival.body, arrival.headers) as { id: string };
    assert.deepEqual([event.id, arrival.headers['webhook-id']], [id, id]);
    for (const { state, attempts, response_status, response_body } of await fixture.deliveries()) {
      assert.deepEqual([state, attempts, response_status, response_body], ['delivered', 1, 202, 'thanks']);
    }
  });

  test('two processes send to one webhook at the same time without repeating any, and preserve the order of each app despite retries', async () => {
    const { id } = await fixture.newWebhook(hook.url(), { requests_at_once: 2 });
    // Those of two processes, which no process alone may have.
    const together = Promise.withResolvers<void>();
    let [underWay, failed] = [0, 0];
    hook.respond = async (_, response) => {
      underWay += 1;
      if (underWay === 4) together.resolve();
      await together.promise;
      underWay -= 1;
      const fails = hook.arrivals.length % 3 === 0;
      if (fails) failed += 1;
      response.writeHead(fails ? 500 : 200).end();
    };
    const [first, second] = [await fixture.startProcess(), await fixture.startProcess()];
    await fixture.until(async () => (await fixture.shardsByHolder(id)).size === 2);
    await fixture.change(Array.from({ length: 40 }, (_, at) => `app_${at % 13}`));
    await fixture.finished();
    assert.deepEqual(hook.byQueue(), await fixture.committed());
    assert.equal(hook.arrivals.length, 40 + failed);

    await first.stop();
    await fixture.change(['app_1', 'app_2', 'app_3', 'app_4'], second.registry);
    await fixture.finished();
    assert.deepEqual(hook.byQueue(), await fixture.committed());
    await second.stop();
    assert.deepEqual([...(await fixture.shardsByHolder(id))], []);
  });

  // What no engine can break.
  if (engine.name !== 'sqlite') return;

  describe('a delivering process', () => {
    test('delivers an event of its own without polling', async () => {
      const { id } = await fixture.newWebhook(hook.url());
      const { registry } = await fixture.startProcess({ pollMs: dayMs });
      await fixture.until(() => fixture.isServed(id));
      // The first can be found by the first poll; there is no second poll.
      for (const apps of [['app_a'], ['app_a', 'app_a', 'app_b']]) {
        await fixture.change(apps, registry);
        await fixture.finished();
      }
      assert.deepEqual(hook.byQueue(), await fixture.committed());
    });

    test('leaves a webhook to a process that has the key of the secret that signs its deliveries', async () => {
      const secretKeys = [createSecretKey(randomBytes(32))];
      const { id, secret } = await fixture.newWebhook(hook.url());
      const without = await fixture.startProcess();
      await fixture.until(() => fixture.isServed(id));
      await encryptWebhookSecrets({ ...without.registry, secrets: new SecretKeys(secretKeys) });
      await fixture.change(['app_a']);
      await fixture.until(async () => !(await fixture.isServed(id)));
      await fixture.startProcess({ secretKeys });
      const [{ body, headers } = assert.fail()] = await hook.untilArrived(1);
      new Webhook(secret).verify(body, headers);
      await fixture.finished();
      await without.stop();
      const [{ webhookIds, msg } = assert.fail(), ...more] = without.log.lines.filter(({ level }) => level === error);
      assert.deepEqual([webhookIds, more], [[id], []]);
      assert.match(msg, /^webhooks skipped by this process: SECRETS_KEY lacks the key/);
    });

    test('is delayed by an unresponsive webhook neither in serving others nor at its end', async () => {
      await fixture.newWebhook(hook.url('/slow'), { requests_at_once: 10 });
      await fixture.newWebhook(hook.url('/quick'));
      hook.respond = ({ path }, response) => path === '/quick' && response.end();
      const { stop } = await fixture.startProcess({ graceMs: 0, timeoutMs: dayMs });
      await fixture.change(Array.from({ length: 30 }, (_, at) => `app_${at}`));
      const count = (path: string) => hook.arrivals.filter((arrival) => arrival.path === path).length;
      await fixture.until(() => count('/quick') === 30 && count('/slow') === 10);
      await stop();
      assert.equal(count('/slow'), 10);
      const unattempted = (await fixture.deliveries()).filter(({ state }) => state === 'pending');
      assert.ok(unattempted.length >= 30 && unattempted.every(({ attempts }) => attempts === 0));
    });

    test('serves every app, however many deliveries the first ones have', async () => {
      await fixture.newWebhook(hook.url(), { requests_at_once: 2 });
      const busy = Array.from({ length: 60 }, (_, at) => `app_${at % 2}`);
      await fixture.change([...busy, 'app_2', 'app_3', 'app_4']);
      await fixture.startProcess();
      await fixture.finished();
      const arrived = hook.arrivals.map(({ event }) => event.appId ?? '');
      const positions = ['app_2', 'app_3', 'app_4'].map((app) => arrived.indexOf(app));
      assert.ok(Math.max(...positions) < 20, `${positions}`);
      assert.deepEqual(hook.byQueue(), await fixture.committed());
    });

    test('serves an app without a notification, however many changes it makes to others', async () => {
      await fixture.newWebhook(hook.url(), { requests_at_once: 1 });
      const { registry } = await fixture.startProcess();
      // Each delivery is followed by a change of another app, until the quiet one is served.
      hook.respond = async (_, response) => {
        if (!hook.byQueue().app_quiet) await fixture.change([`app_${hook.arrivals.length % 30}`], registry);
        response.end();
      };
      await fixture.change(['app_0', 'app_1'], registry);
      await hook.untilArrived(5);
      await fixture.change(['app_quiet']);
      await fixture.finished();
      assert.equal(hook.byQueue().app_quiet?.length, 1);
    });

    test('logs and counts a delivery that is given up and a webhook that is disabled, and continues once it is enabled', async () => {
      const { id } = await fixture.newWebhook(hook.url());
      const statuses = [400, 400, 400, 200, 410];
      hook.respond = (_, response) => response.writeHead(statuses[hook.arrivals.length - 1] ?? 200).end('so');
      const { log, metrics, stop } = await fixture.startProcess({ retryMs: [0, 0] });
      await fixture.change(['app_a', 'app_a', 'app_a', 'app_a']);
      await fixture.until(async () => (await fixture.webhook(id)).disabled_at);
      assert.equal(hook.arrivals.length, 5);
      await fixture.setWebhook(id, { disabled_at: null });
      await fixture.finished();
      await stop();
      assert.equal(hook.arrivals.length, 7);
      const [first, second, third] = (await fixture.deliveries()).map((row) => ({
        deliveryId: row.id,
        eventId: row.event_id,
      }));
      const fields = log.lines
        .filter(({ level }) => level >= 30)
        .map(({ level: _l, time: _t, pid: _p, hostname: _h, ...line }) => line);
      assert.deepEqual(fields, [
        { webhookId: id, ...first, status: 400, response: 'so', msg: 'webhook delivery failed' },
        { webhookId: id, ...first, status: 400, msg: 'webhook delivery given up: last attempt failed' },
        { webhookId: id, ...second, status: 200, msg: 'webhook deliveries succeed again' },
        { webhookId: id, ...third, status: 410, response: 'so', msg: 'webhook delivery failed' },
        { webhookId: id, reason: 'The receiver responded with 410 (Gone).', msg: 'webhook disabled' },
        { webhookId: id, ...third, status: 200, msg: 'webhook deliveries succeed again' },
      ]);
      const text = await metrics.metrics();
      for (const line of ['"delivered"} 3', '"retried"} 3', '"given_up"} 1']) {
        assert.ok(text.includes(`webhook_attempts_total{outcome=${line}\n`), text);
      }
    });

    test('records an attempt once the database is back, without repeating the delivery, and logs its loss once', async () => {
      await fixture.newWebhook(hook.url());
      const { log, registry, stop } = await fixture.startProcess();
      const responding = Promise.withResolvers<void>();
      hook.respond = async (_, response) => {
        await responding.promise;
        response.end();
      };
      await fixture.change(['app_a'], registry);
      await hook.untilArrived(1);
      await rename('deliveries', 'elsewhere');
      let failures = 0;
      const write = registry.storage.write.bind(registry.storage);
      registry.storage.write = (...args) =>
        write(...args).catch((cause) => {
          failures += 1;
          throw cause;
        });
      responding.resolve();
      await fixture.until(() => failures >= 2);
      await rename('elsewhere', 'deliveries');
      await fixture.finished();
      await stop();
      assert.equal(hook.arrivals.length, 1);
      const messages = log.lines.filter(({ level }) => level === warn).map(({ msg }) => msg);
      assert.deepEqual(messages, ['event delivery paused: database unavailable']);
    });

    test('that cannot renew its leases aborts its attempts before another one takes over', async () => {
      const { id } = await fixture.newWebhook(hook.url());
      const aborted = Promise.withResolvers<void>();
      hook.respond = (_, response) => response.on('close', aborted.resolve);
      await fixture.startProcess({ leaseMs: 200 });
      await fixture.change(['app_a']);
      await hook.untilArrived(1);
      await rename('webhooks', 'elsewhere');
      await aborted.promise;
      assert.equal((await fixture.deliveries())[0]?.attempts, 0);
      hook.respond = (_, response) => response.end();
      await rename('elsewhere', 'webhooks');
      await fixture.finished();
      assert.equal((await fixture.webhook(id)).failing_since, null);
    });

    test('sends batches that the client verifies with the secret of their webhook, and counts their events', async () => {
      const { secret } = await fixture.newWebhook(hook.url(), { batch: 1 });
      await fixture.change(['app_a', 'app_a', 'app_a']);
      const { metrics, stop } = await fixture.startProcess();
      const [{ body, headers } = assert.fail()] = await hook.untilArrived(1);
      const ids = (await verifyWebhookBatch({ body, headers, secret })).map(({ id }) => id);
      assert.deepEqual(ids, (await fixture.committed()).app_a);
      await fixture.finished();
      await stop();
      assert.match(await metrics.metrics(), /webhook_attempts_total\{outcome="delivered"\} 3\n/);
    });

    async function rename(table: string, to: string): Promise<void> {
      await fixture.storage.write((transaction) => execute(transaction, `alter table ${table} rename to ${to}`));
    }
  });
});
