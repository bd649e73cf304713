import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { CapturedLog } from '@appregistrar/testkit/registry/captured-log';
import { Registry as MetricsRegistry } from 'prom-client';
import type { Registry } from '../registry/registry.ts';
import { shardsPerWebhook } from '../registry/webhooks/webhook-shard.ts';
import { insertProcess, takeShards } from '../storage/queries/deliveries/webhook-leases.ts';
import { AttemptRecorder } from './attempt-recorder.ts';
import { DeliveryMetrics } from './delivery-metrics.ts';
import { Receiver } from './receiver.ts';
import { RequestCapacity } from './request-capacity.ts';
import { RetryingDatabase } from './retrying-database.ts';
import { DeliveryFixture } from './testing/delivery-fixture.ts';
import { HookReceiver, until } from './testing/hook-receiver.ts';
import { WebhookWorker } from './webhook-worker.ts';

const holder = 'both';
const allShards = new Set(Array(shardsPerWebhook).keys());

forEachEngine((engine) => {
  // As if a process was suspended until another one took over, and then resumed.
  test('two processes that both serve a webhook repeat deliveries but preserve their order', async (t) => {
    const hook = await HookReceiver.start();
    const fixture = await DeliveryFixture.open(engine);
    const { id } = await fixture.newWebhook(hook.url(), { requests_at_once: 4 });
    await fixture.storage.write(async (transaction) => {
      await insertProcess(transaction, { id: holder, beat: 0, without_key: '' });
      await takeShards(transaction, { webhookId: id, holder, shards: [...allShards] });
    });
    hook.respond = async (_, response) => {
      await sleep(Math.random() * 5);
      response.writeHead(Math.random() < 0.3 ? 500 : 200).end();
    };
    // Neither of them needs to take the lease.
    const processes = [await fixture.startProcess(), await fixture.startProcess()];
    const workers = processes.map(({ registry }) => workerOf(id, registry));
    t.after(async () => {
      for (const worker of workers) worker.abort();
      await Promise.all(workers.map(({ ended }) => ended));
      await fixture.close();
      await hook.close();
    });
    await fixture.change(Array.from({ length: 120 }, (_, at) => `app_${at % 3}`));
    await until(async () => (await fixture.deliveries()).every(({ state }) => state === 'delivered'));

    assert.deepEqual(hook.byQueue(), await fixture.committed());
    const attempts = (await fixture.deliveries()).reduce((sum, delivery) => sum + delivery.attempts, 0);
    t.diagnostic(`${hook.arrivals.length} requests, ${attempts} of them recorded`);
    assert.ok(hook.arrivals.length > attempts, 'both worked');
  });
});

function workerOf(webhookId: string, registry: Registry): WebhookWorker {
  const { logger } = new CapturedLog();
  const { now } = registry;
  const receiving = { allowPrivate: true, timeoutMs: 10_000, connectionsMax: 4, userAgent: 'app-registry', now };
  const ended = new AbortController().signal;
  const database = new RetryingDatabase({ logger, pauseMs: 20, ended });
  return new WebhookWorker({ webhookId, holder }, allShards, {
    registry,
    database,
    recorder: new AttemptRecorder(registry, { database, ended }),
    receiver: new Receiver(receiving),
    capacity: new RequestCapacity({ requestsMax: 100, bytesMax: 1_000_000 }),
    logger,
    metrics: new DeliveryMetrics(registry, new MetricsRegistry()),
    retryMs: Array(50).fill(0),
    pollMs: 20,
  });
}
