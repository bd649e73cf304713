import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { CapturedLog } from '@appregistrar/testkit/registry/captured-log';
import { Registry as MetricsRegistry } from 'prom-client';
import { DeliveryFixture } from '../../../../test/webhooks/delivery-fixture.ts';
import type { Registry } from '../../../kernel/registry.ts';
import { DeliveryMetrics } from './delivery-metrics.ts';
import { Receiver } from './receiver.ts';
import { RetryingDatabase } from './retrying-database.ts';
import { shardsPerWebhook } from './webhook-leases.ts';
import { AttemptRecorder, RequestCapacity, WebhookWorker } from './webhook-worker.ts';

const holder = 'both';

onSqlite((engine) => {
  // As if a process was suspended until another one took over, and then resumed.
  test('two processes that both serve a webhook repeat deliveries but preserve their order', async (t) => {
    const fixture = await DeliveryFixture.open(engine);
    const { hook } = fixture;
    const { id } = await fixture.newWebhook(hook.url(), { requests_at_once: 4 });
    await fixture.lease({ webhookId: id, holder });
    // The first event is held back until both have sent it.
    const both = Promise.withResolvers<void>();
    hook.respond = async ({ event }, response) => {
      const first = hook.arrivals[0]?.event.id;
      if (hook.arrivals.filter((arrival) => arrival.event.id === first).length > 1) both.resolve();
      if (event.id === first) await both.promise;
      response.writeHead(hook.arrivals.length % 3 === 0 ? 500 : 200).end();
    };
    await fixture.change(Array.from({ length: 30 }, (_, at) => `app_${at % 3}`));
    const workers = [workerOf(id, fixture.registry), workerOf(id, fixture.registry)];
    t.after(async () => {
      for (const worker of workers) worker.abort();
      await Promise.all(workers.map(({ ended }) => ended));
      await fixture.close();
    });
    await fixture.until(async () => (await fixture.deliveries()).every(({ state }) => state === 'delivered'));

    assert.deepEqual(hook.byQueue(), await fixture.committed());
    const attempts = (await fixture.deliveries()).reduce((sum, delivery) => sum + delivery.attempts, 0);
    assert.ok(hook.arrivals.length > attempts, 'both worked');
  });
});

function workerOf(webhookId: string, registry: Registry): WebhookWorker {
  const { logger } = new CapturedLog();
  const { now } = registry;
  const receiving = { allowPrivate: true, timeoutMs: 60_000, connectionsMax: 4, userAgent: 'app-registry', now };
  const ended = new AbortController().signal;
  const database = new RetryingDatabase({ logger, pauseMs: 20, ended });
  return new WebhookWorker({ webhookId, holder }, new Set(Array(shardsPerWebhook).keys()), {
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
