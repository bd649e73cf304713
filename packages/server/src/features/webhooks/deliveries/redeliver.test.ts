import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import {
  createWebhook,
  listDeliveries,
  redeliverDelivery,
  redeliverWebhook,
  setWebhookEnabled,
  testWebhook,
} from '@appregistrar/testkit/calls/webhooks';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { assertRefused, eventsDuring, rowsOf, validationErrorsOf } from '@appregistrar/testkit/registry/recorded';
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
  const newWebhook = () =>
    createWebhook(fixture.registry, commandLine, { url: 'https://hooks.example.com/', types: ['app.approved'] });
  const list = (filter: object = {}, id = webhook.id) => listDeliveries(fixture.registry, { ...filter, webhookId: id });
  const items = async (filter: object = {}) => (await list(filter)).items;

  /** Events of one app, a second apart; returns the deliveries in order of queueing. */
  async function queue(count: number): Promise<Delivery[]> {
    const appId = newId('app');
    for (let number = 0; number < count; number += 1) {
      now += 1_000;
      await fixture.registry.storage.write((transaction) =>
        appendEvent(transaction, {
          caller: commandLine,
          at: now,
          type: 'app.approved',
          appId,
          subjectId: appId,
          before: { reviewStatus: 'AWAITING_REVIEW' },
          after: { reviewStatus: 'APPROVED', revision: 1 },
        }),
      );
    }
    return (await items()).toReversed();
  }

  /** Sets the state that an attempt leaves. */
  async function attempted(id: string, row: Partial<DeliveryRow>): Promise<void> {
    await fixture.registry.storage.write((transaction) =>
      transaction.run(
        transaction.builder
          .updateTable('deliveries')
          .set({ attempts: 3, attempted_at: now, response_status: 503, response_body: 'busy', ...row })
          .where('id', '=', id)
          .compile(),
      ),
    );
  }
  const delivered = (id: string) =>
    attempted(id, { state: 'delivered', finished_at: now, response_status: 200, response_body: 'thanks' });
  const failed = (id: string) => attempted(id, { state: 'failed', finished_at: now });

  test('a delivery that became due between its selection and its update is not counted again', async () => {
    const [delivery = assert.fail()] = await queue(1);
    await failed(delivery.id);
    const update = () =>
      fixture.registry.storage.write((transaction) => updateToPending(transaction, { ids: [delivery.id], now }));
    assert.deepEqual([await update(), await update()], [1, 0]);
  });

  describe('the deliveries of a webhook', () => {
    test('are listed newest first, in pages, without those of other webhooks', async () => {
      await newWebhook();
      const queued = await queue(5);
      const ids = queued.map(({ id }) => id).toReversed();
      const first = await list({ limit: 2 });
      const second = await list({ limit: 2, cursor: first.nextCursor });
      const third = await list({ limit: 2, cursor: second.nextCursor });
      const pages = [first, second, third].map((page) => page.items.map(({ id }) => id));
      assert.deepEqual(pages, [ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
      assert.deepEqual([first.prevCursor, third.nextCursor], [undefined, undefined]);
      const back = await list({ limit: 2, cursor: third.prevCursor });
      assert.deepEqual(back, second);
    });

    test('are listed by state, each with its outcome', async () => {
      const [one, two, three] = await queue(3);
      await delivered(one?.id ?? '');
      await failed(two?.id ?? '');
      const { webhookId, eventId, eventType } = three ?? assert.fail();
      assert.deepEqual([webhookId, eventType, eventId.startsWith('event_')], [webhook.id, 'app.approved', true]);
      const [pending, ...rest] = await items({ state: 'pending' });
      assert.deepEqual(rest, []);
      assert.deepEqual(pending, {
        id: three?.id,
        webhookId,
        eventId,
        eventType,
        state: 'pending',
        attempts: 0,
        createdAt: time(now),
        nextAttemptAt: time(now),
      });
      const { nextAttemptAt: _, ...queued } = one ?? assert.fail();
      assert.deepEqual(await items({ state: 'delivered' }), [
        {
          ...queued,
          state: 'delivered',
          attempts: 3,
          attemptedAt: time(now),
          finishedAt: time(now),
          response: { status: 200, body: 'thanks' },
        },
      ]);
      assert.deepEqual(
        (await items({ state: 'failed' })).map(({ id, response }) => [id, response]),
        [[two?.id, { status: 503, body: 'busy' }]],
      );
    });

    test('are refused for invalid parameters', async () => {
      const refusing = (filter: object) => () => list(filter);
      assert.deepEqual(
        validationErrorsOf(await assertRefused(fixture.registry, refusing({ state: 'lost' }), 'invalid_content')),
        ['state not_allowed'],
      );
      assert.deepEqual(
        validationErrorsOf(await assertRefused(fixture.registry, refusing({ type: 'x' }), 'invalid_content')),
        ['type unknown_field'],
      );
      for (const id of [newId('webhook'), '\0']) {
        await assertRefused(fixture.registry, () => list({}, id), 'webhook_not_found');
      }
    });
  });

  describe('a test of a webhook', () => {
    test('is one event for this webhook only, even if it does not subscribe to its type', async () => {
      const all = await createWebhook(fixture.registry, commandLine, { url: 'https://all.example.com/' });
      const others = await list({}, all.id);
      let tested: Delivery | undefined;
      const events = await eventsDuring(fixture.registry, async () => {
        tested = await testWebhook(fixture.registry, commandLine, webhook.id);
      });
      assert.deepEqual(
        events.map(({ id, type, subject_id, actor }) => [id, type, subject_id, actor]),
        [[tested?.eventId, 'webhook.tested', webhook.id, 'command-line:demo']],
      );
      assert.deepEqual(await items(), [tested]);
      assert.deepEqual([tested?.state, tested?.nextAttemptAt], ['pending', time(now)]);
      assert.deepEqual(await list({}, all.id), others);
    });

    test('does not wait for an earlier test', async () => {
      await testWebhook(fixture.registry, commandLine, webhook.id);
      await testWebhook(fixture.registry, commandLine, webhook.id);
      const rows = await rowsOf(fixture.registry.storage, 'deliveries');
      const queues = rows.filter(({ webhook_id }) => webhook_id === webhook.id).map((row) => row.queue);
      assert.equal(new Set(queues).size, 2);
    });

    test('is refused for a disabled or unknown webhook', async () => {
      await setWebhookEnabled(fixture.registry, commandLine, { id: webhook.id, enabled: false });
      const tryIt = (id: string) => () => testWebhook(fixture.registry, commandLine, id);
      await assertRefused(fixture.registry, tryIt(webhook.id), 'webhook_disabled');
      await assertRefused(fixture.registry, tryIt(newId('webhook')), 'webhook_not_found');
    });
  });

  describe('redelivering', () => {
    test('a finished delivery becomes pending again, due now, with all of its attempts', async () => {
      const [one, two] = await queue(2);
      await delivered(one?.id ?? '');
      await failed(two?.id ?? '');
      now += 60_000;
      for (const { id } of [one, two] as Delivery[]) {
        const again = await redeliverDelivery(fixture.registry, commandLine, id);
        const { state, attempts, nextAttemptAt, finishedAt } = again;
        assert.deepEqual([state, attempts, nextAttemptAt, finishedAt], ['pending', 0, time(now), undefined]);
        assert.deepEqual(
          (await items()).find((item) => item.id === id),
          again,
        );
      }
    });

    test('all failed deliveries since a time excludes those that were delivered or failed earlier', async () => {
      const [before, failing, fine, pending] = await queue(4);
      await delivered(fine?.id ?? '');
      for (const { id } of [before, failing] as Delivery[]) await failed(id);
      now += 60_000;
      const redelivery = { since: failing?.createdAt, state: 'failed' };
      const request = { webhookId: webhook.id, redelivery };
      const { deliveriesRedelivered } = await redeliverWebhook(fixture.registry, commandLine, request);
      assert.equal(deliveriesRedelivered, 1);
      const states = (await items()).map(({ id, state, attempts }) => [id, state, attempts]).toReversed();
      assert.deepEqual(states, [
        [before?.id, 'failed', 3],
        [failing?.id, 'pending', 0],
        [fine?.id, 'delivered', 3],
        [pending?.id, 'pending', 0],
      ]);
      await assertRefused(
        fixture.registry,
        () =>
          redeliverWebhook(fixture.registry, commandLine, { ...request, redelivery: { ...redelivery, state: 'lost' } }),
        'invalid_content',
      );
    });

    test('a delivery whose webhook was disabled between attempts gets all of its attempts again', async () => {
      const [one] = await queue(1);
      await attempted(one?.id ?? '', { due_at: now });
      now += 60_000;
      const { state, attempts, nextAttemptAt } = await redeliverDelivery(fixture.registry, commandLine, one?.id ?? '');
      assert.deepEqual([state, attempts, nextAttemptAt], ['pending', 0, time(now)]);
      await attempted(one?.id ?? '', { due_at: now });
      const redelivery = { since: time(now - 60_000) };
      const { deliveriesRedelivered } = await redeliverWebhook(fixture.registry, commandLine, {
        webhookId: webhook.id,
        redelivery,
      });
      assert.deepEqual([deliveriesRedelivered, (await items())[0]?.attempts], [1, 0]);
    });

    test('a delivery that awaits its next attempt becomes due now, and a new one that is due is unchanged', async () => {
      const [one, two] = await queue(2);
      await attempted(one?.id ?? '', { due_at: now + 3_600_000 });
      now += 60_000;
      const { attempts, nextAttemptAt } = await redeliverDelivery(fixture.registry, commandLine, one?.id ?? '');
      assert.deepEqual([attempts, nextAttemptAt], [0, time(now)]);
      assert.deepEqual(await redeliverDelivery(fixture.registry, commandLine, two?.id ?? ''), two);
    });

    test('an unknown delivery is refused as not found', async () => {
      for (const id of [newId('delivery'), webhook.id, '', '\0']) {
        await assertRefused(
          fixture.registry,
          () => redeliverDelivery(fixture.registry, commandLine, id),
          'delivery_not_found',
        );
      }
    });

    test('all deliveries queued at or after a time become pending and are counted', async () => {
      const other = await newWebhook();
      const ids = (await queue(5)).map(({ id }) => id);
      const [one, two, three, four, five] = ids as [string, string, string, string, string];
      for (const id of [one, two, three]) await delivered(id);
      await attempted(four, { due_at: now + 3_600_000 });
      const [othersFirst] = (await list({}, other.id)).items;
      await delivered(othersFirst?.id ?? '');
      const since = time(now - 3_000);
      now += 60_000;
      assert.deepEqual(
        await redeliverWebhook(fixture.registry, commandLine, { webhookId: webhook.id, redelivery: { since } }),
        {
          webhookId: webhook.id,
          deliveriesRedelivered: 3,
        },
      );
      const states = (await items()).map(({ id, state, nextAttemptAt }) => [id, state, nextAttemptAt]);
      assert.deepEqual(states.toReversed(), [
        [one, 'delivered', undefined],
        [two, 'pending', time(now)],
        [three, 'pending', time(now)],
        [four, 'pending', time(now)],
        [five, 'pending', time(now - 60_000)],
      ]);
      assert.equal((await list({}, other.id)).items[0]?.state, 'delivered');
    });

    test('all deliveries since a time become pending, however many there are', async () => {
      const count = 2_500;
      const [one] = await queue(1);
      const row = (await rowsOf(fixture.registry.storage, 'deliveries')).find(({ id }) => id === one?.id);
      const rows = Array.from({ length: count }, () => ({ ...(row ?? assert.fail()), id: newId('delivery') }));
      await fixture.registry.storage.write((transaction) =>
        transaction.insertNew(
          'deliveries',
          rows.map((more) => ({ ...more, state: 'delivered' as const, finished_at: now })),
        ),
      );
      const redelivery = { since: time(now) };
      const { deliveriesRedelivered } = await redeliverWebhook(fixture.registry, commandLine, {
        webhookId: webhook.id,
        redelivery,
      });
      assert.equal(deliveriesRedelivered, count);
      assert.deepEqual(await items({ state: 'delivered' }), []);
    });

    test('an invalid time or webhook is refused', async () => {
      const redelivering = (redelivery: unknown, webhookId = webhook.id) => {
        return () => redeliverWebhook(fixture.registry, commandLine, { webhookId, redelivery });
      };
      for (const [redelivery, error] of [
        [{}, '/since required'],
        [{ since: 'yesterday' }, '/since invalid_format'],
        [{ since: 1 }, '/since wrong_type'],
      ]) {
        const refusal = await assertRefused(fixture.registry, redelivering(redelivery), 'invalid_content');
        assert.deepEqual(validationErrorsOf(refusal), [error]);
      }
      const since = time(now);
      await assertRefused(fixture.registry, redelivering({ since }, newId('webhook')), 'webhook_not_found');
      assert.equal((await redelivering({ since })()).deliveriesRedelivered, 0);
    });
  });
});
