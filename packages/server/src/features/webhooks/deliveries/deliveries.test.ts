import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import {
  createWebhook,
  getDelivery,
  getWebhookBacklog,
  listDeliveries,
  redeliverDelivery,
  redeliverWebhook,
  testWebhook,
} from '@appregistrar/testkit/calls/webhooks';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { contentOf, eventsDuring, rowsOf } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { newId } from '../../../kernel/ids.ts';
import { commandLine } from '../../../kernel/registry.ts';
import type { DeliveryRow } from '../../../storage/tables.ts';
import { appendEvent } from '../../events/append-event.ts';
import type { WebhookWithSecret } from '../webhook.ts';
import type { Delivery } from './delivery.ts';
import { updateToPending } from './delivery-queries.ts';

forEachEngine((engine) => {
  let now = Date.parse('2026-03-01T09:30:00.000Z');
  let fixture: RegistryFixture;
  let webhook: WebhookWithSecret;
  before(async () => {
    fixture = await RegistryFixture.open(engine, { now: () => now });
  });
  beforeEach(async () => {
    now += 3_600_000;
    webhook = await newWebhook();
  });
  after(() => fixture.close());

  const time = (at: number) => new Date(at).toISOString();
  // Events about the webhook itself would mix with those of the tests.
  const newWebhook = (types = ['app.approved']) =>
    createWebhook(fixture.registry, commandLine, { url: 'https://hooks.example.com/', types });
  const list = (filter: object = {}, id = webhook.id) => listDeliveries(fixture.registry, { ...filter, webhookId: id });
  const again = (redelivery: object) =>
    redeliverWebhook(fixture.registry, commandLine, { webhookId: webhook.id, redelivery });

  /** One event, a second later, whose delivery then has the state that attempts leave. */
  async function queue(row: Partial<DeliveryRow> = {}): Promise<Delivery> {
    now += 1_000;
    const appId = newId('app');
    const { storage } = fixture.registry;
    const change = { type: 'app.approved', appId, subjectId: appId } as const;
    const before = { reviewStatus: 'AWAITING_REVIEW' } as const;
    const after = { reviewStatus: 'APPROVED', revision: 1 } as const;
    await storage.write((transaction) =>
      appendEvent(transaction, { caller: commandLine, at: now, ...change, before, after }),
    );
    const [delivery = assert.fail()] = (await list()).items;
    if (Object.keys(row).length > 0) await set(delivery.id, row);
    return delivery;
  }

  async function set(id: string, row: Partial<DeliveryRow>): Promise<void> {
    await fixture.registry.storage.write((transaction) =>
      transaction.run(transaction.builder.updateTable('deliveries').set(row).where('id', '=', id).compile()),
    );
  }

  /** What three attempts have led to. */
  const attempted = () => ({ attempts: 3, attempted_at: now, response_status: 503, response_body: 'busy' });
  const delivered = () =>
    ({ ...attempted(), state: 'delivered', finished_at: now, response_status: 200, response_body: 'thanks' }) as const;
  const failed = () => ({ ...attempted(), state: 'failed', finished_at: now }) as const;

  test('deliveries are listed newest first, in pages, without those of other webhooks', async () => {
    await newWebhook();
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.unshift((await queue()).id);
    const first = await list({ limit: 2 });
    const second = await list({ limit: 2, cursor: first.nextCursor });
    const third = await list({ limit: 2, cursor: second.nextCursor });
    const pages = [first, second, third].map((page) => page.items.map(({ id }) => id));
    assert.deepEqual(pages, [ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
    assert.deepEqual([first.prevCursor, third.nextCursor], [undefined, undefined]);
    assert.deepEqual(await list({ limit: 2, cursor: third.prevCursor }), second);
  });

  test('deliveries are listed by state, each with its outcome', async () => {
    const [one, two] = [await queue(delivered()), await queue(failed())];
    const finishedAt = [one, two].map(({ createdAt }) => Date.parse(createdAt) - 1_000);
    const queued = await queue();
    const { id, eventId, ...pending } = contentOf(queued);
    assert.deepEqual(pending, {
      webhookId: webhook.id,
      eventType: 'app.approved',
      state: 'pending',
      attempts: 0,
      createdAt: time(now),
      nextAttemptAt: time(now),
    });
    assert.deepEqual((await list({ state: 'pending' })).items, [queued]);
    const outcomes = { delivered: { status: 200, body: 'thanks' }, failed: { status: 503, body: 'busy' } };
    for (const [at, state] of (['delivered', 'failed'] as const).entries()) {
      const { nextAttemptAt: _, ...queued } = contentOf([one, two][at] ?? assert.fail());
      const ended = time(finishedAt[at] ?? 0);
      const outcome = { attempts: 3, attemptedAt: ended, finishedAt: ended, response: outcomes[state] };
      assert.deepEqual((await list({ state })).items.map(contentOf), [{ ...queued, state, ...outcome }]);
    }
  });

  test('a test is one event for its webhook only, even of a type that it does not receive, and waits for no other', async () => {
    const all = await createWebhook(fixture.registry, commandLine, { url: 'https://all.example.com/' });
    const others = await list({}, all.id);
    const tested: Delivery[] = [];
    const events = await eventsDuring(fixture.registry, async () => {
      for (let count = 0; count < 2; count += 1) {
        tested.unshift(await testWebhook(fixture.registry, commandLine, webhook.id));
      }
    });
    assert.deepEqual(
      events.map(({ id, type, subject_id, actor }) => [id, type, subject_id, actor]),
      tested.toReversed().map(({ eventId }) => [eventId, 'webhook.tested', webhook.id, 'command-line:demo']),
    );
    assert.deepEqual((await list()).items, tested);
    assert.deepEqual([tested[0]?.state, tested[0]?.nextAttemptAt], ['pending', time(now)]);
    assert.deepEqual(await list({}, all.id), others);
    const rows = await rowsOf(fixture.registry.storage, 'deliveries');
    const queues = rows.filter(({ webhook_id }) => webhook_id === webhook.id).map((row) => row.queue);
    assert.equal(new Set(queues).size, 2);
  });

  describe('a queue whose first delivery has failed', () => {
    /** Deliveries about one app, the first of which has failed. */
    async function blockedQueue() {
      const [first, second, third] = [
        await queue({ ...attempted(), due_at: now + 3_600_000 }),
        await queue(),
        await queue(),
      ];
      const { queue: common } =
        (await rowsOf(fixture.registry.storage, 'deliveries')).find(({ id }) => id === first.id) ?? assert.fail();
      for (const { id } of [second, third]) await set(id, { queue: common });
      return { first, second, third, nextAttemptAt: time(now - 2_000 + 3_600_000) };
    }

    test('is named by each delivery that waits for it, and by no other', async () => {
      const { first, second, third } = await blockedQueue();
      const alone = await queue();
      const waitsFor = { id: first.id, eventType: 'app.approved', attempts: 3 };
      const found = Object.fromEntries((await list()).items.map((item) => [item.id, item.waitsFor]));
      const { nextAttemptAt = assert.fail() } = (await list()).items.find(({ id }) => id === first.id) ?? {};
      assert.deepEqual(found, {
        [first.id]: undefined,
        [second.id]: { ...waitsFor, nextAttemptAt },
        [third.id]: { ...waitsFor, nextAttemptAt },
        [alone.id]: undefined,
      });
      const details = await getDelivery(fixture.registry, third.id);
      assert.deepEqual(details.waitsFor, found[third.id]);
    });

    test('is no longer waited for once it is due again', async () => {
      const { first, second } = await blockedQueue();
      await redeliverDelivery(fixture.registry, commandLine, first.id);
      assert.equal((await list()).items.find(({ id }) => id === second.id)?.waitsFor, undefined);
    });

    test('and the rest of its batch, which is sent with it, wait for nothing', async () => {
      const { first, second, third } = await blockedQueue();
      await set(first.id, { sent_with: first.id });
      await set(second.id, { ...attempted(), sent_with: first.id });
      const waiting = (await list()).items.filter((item) => item.waitsFor).map(({ id }) => id);
      assert.deepEqual(waiting, [third.id]);
    });

    test('is in the backlog of its webhook with the number of those that wait, longest first', async () => {
      const { first } = await blockedQueue();
      const later = await queue({ ...attempted(), due_at: now + 1_000 });
      await queue();
      const { blocked, isComplete } = await getWebhookBacklog(fixture.registry, webhook.id);
      assert.deepEqual(
        blocked.map(({ delivery, waiting }) => [delivery.id, waiting]),
        [
          [first.id, 2],
          [later.id, 0],
        ],
      );
      assert.equal(isComplete, true);
    });

    test('is retried with all that are pending, and so unblocked', async () => {
      const { first } = await blockedQueue();
      await queue(failed());
      const since = time(0);
      assert.equal((await again({ since, state: 'pending' })).deliveriesRedelivered, 1);
      assert.deepEqual((await getWebhookBacklog(fixture.registry, webhook.id)).blocked, []);
      assert.equal((await list({ state: 'pending' })).items.find(({ id }) => id === first.id)?.attempts, 0);
    });
  });

  describe('redelivering', () => {
    /** A delivery in each state, by its name. */
    async function inEachState(): Promise<Record<string, Delivery>> {
      return {
        delivered: await queue(delivered()),
        failed: await queue(failed()),
        'awaiting its next attempt': await queue({ ...attempted(), due_at: now + 3_600_000 }),
        'due for its next attempt': await queue({ ...attempted(), due_at: now }),
      };
    }

    test('makes a delivery in any state due now, with all of its attempts', async () => {
      const deliveries = await inEachState();
      now += 60_000;
      for (const [state, { id }] of Object.entries(deliveries)) {
        const redelivered = await redeliverDelivery(fixture.registry, commandLine, id);
        const { attempts, nextAttemptAt, finishedAt } = redelivered;
        const result = [redelivered.state, attempts, nextAttemptAt, finishedAt];
        assert.deepEqual(result, ['pending', 0, time(now), undefined], state);
        const listed = (await list()).items.find((item) => item.id === id);
        assert.deepEqual(listed, redelivered, state);
      }
      const fresh = await queue();
      now += 60_000;
      assert.deepEqual(
        await redeliverDelivery(fixture.registry, commandLine, fresh.id),
        fresh,
        'a new one is due already',
      );
    });

    const selections: [what: string, selection: { state?: string }, redelivered: string[]][] = [
      ['all since a time', {}, ['delivered', 'failed', 'awaiting its next attempt', 'due for its next attempt']],
      ['those of a state since a time', { state: 'failed' }, ['failed']],
    ];
    for (const [what, selection, redelivered] of selections) {
      test(`${what} counts and changes these, neither earlier ones nor those of other webhooks`, async () => {
        const other = await newWebhook();
        const earlier = await queue(failed());
        const [othersFirst = assert.fail()] = (await list({}, other.id)).items;
        await set(othersFirst.id, failed());
        const deliveries = await inEachState();
        const fresh = await queue();
        const since = deliveries.delivered?.createdAt;
        const unchanged = (await list()).items.filter(
          ({ id }) => !redelivered.some((state) => deliveries[state]?.id === id),
        );
        now += 60_000;
        const result = await again({ since, ...selection });
        assert.deepEqual(result, { webhookId: webhook.id, deliveriesRedelivered: redelivered.length });
        const { items } = await list();
        for (const state of redelivered) {
          const found = items.find(({ id }) => id === deliveries[state]?.id);
          assert.deepEqual([found?.state, found?.attempts, found?.nextAttemptAt], ['pending', 0, time(now)], state);
        }
        const ids = unchanged.map(({ id }) => id);
        assert.ok(ids.includes(earlier.id) && ids.includes(fresh.id));
        assert.deepEqual(
          items.filter(({ id }) => ids.includes(id)),
          unchanged,
        );
        const ofOther = (await list({}, other.id)).items.find(({ id }) => id === othersFirst.id);
        assert.equal(ofOther?.state, 'failed');
      });
    }

    test('a delivery that became due between its selection and its update is not counted again', async () => {
      const { id } = await queue(failed());
      const update = () =>
        fixture.registry.storage.write((transaction) => updateToPending(transaction, { ids: [id], now }));
      assert.deepEqual([await update(), await update()], [1, 0]);
    });

    test('all since a time is complete, however many there are', async () => {
      const count = 2_500;
      const { id } = await queue(delivered());
      const row = (await rowsOf(fixture.registry.storage, 'deliveries')).find((one) => one.id === id);
      const more = Array.from({ length: count - 1 }, () => ({ ...(row ?? assert.fail()), id: newId('delivery') }));
      await fixture.registry.storage.write((transaction) => transaction.insertAll('deliveries', more));
      assert.equal((await again({ since: time(now) })).deliveriesRedelivered, count);
      assert.deepEqual((await list({ state: 'delivered' })).items, []);
    });
  });
});
