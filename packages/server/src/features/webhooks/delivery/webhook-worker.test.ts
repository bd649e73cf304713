import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
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

test('the loss of the database is logged once, and its recovery once it has worked for ten pauses', async () => {
  let elapsedMs = 0;
  const log = new CapturedLog();
  const ended = new AbortController().signal;
  const database = new RetryingDatabase({ logger: log.logger, pauseMs: 1, ended, elapsedMs: () => elapsedMs });
  const [work, failing] = [async () => 'done', () => Promise.reject(new Error('lost'))];
  const [lost, resumed] = ['event delivery paused: database unavailable', 'event delivery resumed'];

  const steps: [at: number, work: () => Promise<string>, logged: string[]][] = [
    [0, work, []],
    [0, failing, [lost]],
    [0, failing, []],
    [9, work, []],
    [9, failing, []],
    [18, work, []],
    [19, work, [resumed]],
    [19, failing, [lost]],
  ];
  for (const [at, next, logged] of steps) {
    elapsedMs = at;
    const known = log.lines.length;
    assert.equal(await database.run(next), next === work ? 'done' : undefined);
    assert.deepEqual(
      log.lines.slice(known).map(({ msg }) => msg),
      logged,
    );
  }
});

test('a failure pauses the work, until the process ends', async () => {
  const process = new AbortController();
  const options = { logger: new CapturedLog().logger, pauseMs: 86_400_000, ended: process.signal };
  const failing = new RetryingDatabase(options).run(() => Promise.reject(new Error('lost')));
  const turns = async () => {
    for (let turn = 0; turn < 10; turn += 1) await nextTurn();
    return 'paused';
  };
  assert.equal(await Promise.race([failing, turns()]), 'paused');
  process.abort();
  assert.equal(await failing, undefined);
});

test('webhooks whose receivers do not respond leave room for others and never exceed the limit together', () => {
  const capacity = new RequestCapacity({ requestsMax: 256, bytesMax: 1_000_000 });
  const unresponsive = Array.from({ length: 5 }, () => fill(capacity));
  assert.equal(unresponsive[0], 100);
  const left = capacity.leftFor(0);
  assert.ok(left >= 1, `${unresponsive} and ${left}`);
  assert.ok(unresponsive.reduce((sum, count) => sum + count, left) <= 256);
});

test('when bodies fill the memory, each webhook may have one request until they are sent', () => {
  const capacity = new RequestCapacity({ requestsMax: 256, bytesMax: 1_000 });
  assert.equal(fill(capacity, { bytes: 500 }), 2);
  assert.deepEqual([capacity.leftFor(2), capacity.leftFor(0)], [0, 1]);
  capacity.end(500);
  assert.ok(capacity.leftFor(1) > 50);
});

/** Begins as many requests as a webhook may; none of them ends. */
function fill(capacity: RequestCapacity, { limit = 100, bytes = 1 } = {}): number {
  let underWay = 0;
  while (underWay < limit && capacity.leftFor(underWay) > 0) {
    capacity.begin(bytes);
    underWay += 1;
  }
  return underWay;
}
