import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  rotateWebhookSecret,
  setWebhookEnabled,
  updateWebhook,
} from '@appregistrar/testkit/calls/webhooks';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import {
  assertRefused,
  eventsDuring,
  everything,
  rowsOf,
  validationErrorsOf,
} from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { newId } from '../../kernel/ids.ts';
import { type Caller, commandLine } from '../../kernel/registry.ts';
import { appendEvents } from '../events/append-event.ts';
import type { NewWebhook, Webhook } from './webhook.ts';
import { disableWebhook, findWebhook, markFailing } from './webhook-queries.ts';

const url = 'https://hooks.example.com/registry?key=hush';
const dayMs = 86_400_000;
const keyed = (key: string): Caller => ({ ...commandLine, idempotency: { key, onReplay: () => {} } });

forEachEngine((engine) => {
  let now = Date.parse('2026-03-01T09:30:00.000Z');
  let fixture: RegistryFixture;
  before(async () => {
    fixture = await RegistryFixture.open(engine, { now: () => now });
  });
  beforeEach(() => {
    now += 1_000;
  });
  after(() => fixture.close());

  const create = (given: Partial<NewWebhook> = {}) => createWebhook(fixture.registry, commandLine, { url, ...given });
  const update = (id: string, changes: unknown) =>
    updateWebhook(fixture.registry, commandLine, { id, update: changes });
  const enable = (id: string, enabled = true) => setWebhookEnabled(fixture.registry, commandLine, { id, enabled });
  const rowOf = async (id: string) => (await findWebhook(fixture.registry.storage.reader, { id })) ?? assert.fail();
  const eventsOf = async (work: () => Promise<unknown>) => {
    const events = await eventsDuring(fixture.registry, work);
    assert.ok(!/whsec_|hush|hooks\.example/.test(JSON.stringify(events)));
    return events.map(({ type, details, before: was, after: is }) => ({
      type,
      ...details,
      ...(was && { before: was }),
      ...(is && { after: is }),
    }));
  };

  describe('updating a webhook', () => {
    test('changes only the given fields, and the event names the changes', async () => {
      const { secret: _, ...webhook } = await create({ name: 'Billing', types: ['app.approved'] });
      now += 1_000;
      let updated: Webhook | undefined;
      const events = await eventsOf(async () => {
        updated = await update(webhook.id, { name: 'Ledger', types: ['app.revoked', 'app.approved'] });
      });
      const types = ['app.approved', 'app.revoked'];
      assert.deepEqual(updated, { ...webhook, name: 'Ledger', types, updatedAt: new Date(now).toISOString() });
      assert.deepEqual(await getWebhook(fixture.registry, webhook.id), updated);
      assert.deepEqual(events, [
        {
          type: 'webhook.updated',
          changed: ['name', 'types'],
          before: { name: 'Billing', types: ['app.approved'] },
          after: { name: 'Ledger', types },
        },
      ]);
    });

    test('removes the name and subscribes to all types with null', async () => {
      const { id } = await create({ name: 'Billing', types: ['app.approved'] });
      const events = await eventsOf(() => update(id, { name: null, types: null }));
      const { name, types } = await getWebhook(fixture.registry, id);
      assert.deepEqual([name, types], [undefined, undefined]);
      assert.deepEqual(events[0]?.after, { name: null, types: null });
      await update(id, { name: 'null' });
      assert.equal((await getWebhook(fixture.registry, id)).name, 'null');
    });

    test('records that the address changed, but not the address', async () => {
      const { id } = await create();
      const events = await eventsOf(() => update(id, { url: 'https://hooks.example.com/registry?key=hush2' }));
      assert.deepEqual(events, [{ type: 'webhook.updated', changed: ['url'] }]);
      assert.match((await getWebhook(fixture.registry, id)).url, /hush2$/);
    });

    test('resets the failures when the address changes', async () => {
      const { id } = await create();
      const fail = () =>
        fixture.registry.storage.write((transaction) => markFailing(transaction, { id, at: now - dayMs }));
      await fail();
      assert.equal((await update(id, { name: 'Same' })).failingSince, new Date(now - dayMs).toISOString());
      assert.equal((await update(id, { url: 'https://other.example.com/' })).failingSince, undefined);
    });

    test('without a change changes nothing and has no event', async () => {
      const { id } = await create({ name: 'Billing', types: ['app.revoked', 'app.approved'] });
      const stored = await everything(fixture.registry.storage);
      now += 1_000;
      await update(id, {});
      await update(id, { url, name: 'Billing', types: ['app.approved', 'app.revoked'] });
      assert.deepEqual(await everything(fixture.registry.storage), stored);
    });

    test('is refused with all validation errors', async () => {
      const { id } = await create();
      const wrong = { url: null, name: 1, types: ['app'], enabled: false };
      const refusal = await assertRefused(fixture.registry, () => update(id, wrong), 'invalid_content');
      assert.deepEqual(validationErrorsOf(refusal).toSorted(), [
        '/enabled unknown_field',
        '/name wrong_type',
        '/types/0 not_allowed',
        '/url null_not_allowed',
      ]);
    });
  });

  describe('rotating a secret', () => {
    test('creates a new one, shows it once, and retains the previous one for 24 hours', async () => {
      const { secret, id } = await create();
      const rotated = await rotateWebhookSecret(fixture.registry, commandLine, id);
      assert.match(rotated.secret, /^whsec_[A-Za-z0-9+/]{32}$/);
      assert.notEqual(rotated.secret, secret);
      assert.equal(rotated.previousSecretUntil, new Date(now + dayMs).toISOString());
      const row = await rowOf(id);
      assert.deepEqual(
        [row.secret, row.previous_secret, row.previous_secret_until],
        [rotated.secret, secret, now + dayMs],
      );
      const shown = await getWebhook(fixture.registry, id);
      assert.ok(!JSON.stringify(shown).includes('whsec_'));
      now += dayMs;
      assert.equal((await getWebhook(fixture.registry, id)).previousSecretUntil, undefined);
    });

    test('is recorded by the name of the field, without either secret', async () => {
      const { id } = await create();
      const events = await eventsOf(() => rotateWebhookSecret(fixture.registry, commandLine, id));
      assert.deepEqual(events, [{ type: 'webhook.updated', changed: ['secret'] }]);
    });

    test('repeated under the same key shows the same secret, and retains the one that the receiver has', async () => {
      const { secret, id } = await create();
      const caller = keyed('lost-response');
      const { secret: lost } = await rotateWebhookSecret(fixture.registry, caller, id);
      const stored = await everything(fixture.registry.storage);
      now += 1_000;
      assert.equal((await rotateWebhookSecret(fixture.registry, caller, id)).secret, lost);
      assert.deepEqual(await everything(fixture.registry.storage), stored);
      assert.deepEqual([(await rowOf(id)).secret, (await rowOf(id)).previous_secret], [lost, secret]);
      const keys = JSON.stringify(await rowsOf(fixture.registry.storage, 'idempotency_keys'));
      assert.ok(!keys.includes('whsec_') && !keys.includes(lost.slice('whsec_'.length)));
    });

    test('repeated under the same key neither shows nor creates a newer secret', async () => {
      const { id } = await create();
      const caller = keyed('late-repeat');
      await rotateWebhookSecret(fixture.registry, caller, id);
      await rotateWebhookSecret(fixture.registry, commandLine, id);
      const repeat = () => rotateWebhookSecret(fixture.registry, caller, id);
      const failure = await assertRefused(fixture.registry, repeat, 'secret_replaced');
      assert.ok(failure.message.includes(id));
      const other = await create();
      const reuse = () => rotateWebhookSecret(fixture.registry, caller, other.id);
      await assertRefused(fixture.registry, reuse, 'idempotency_key_reused');
    });

    test('done concurrently gives each caller a different secret', async () => {
      const { id } = await create();
      const rotate = () => rotateWebhookSecret(fixture.registry, commandLine, id);
      const secrets = (await Promise.all([rotate(), rotate()])).map((rotated) => rotated.secret);
      const row = await rowOf(id);
      assert.deepEqual(new Set(secrets), new Set([row.secret, row.previous_secret]));
    });

    test('done twice retains only the previous one', async () => {
      const { id } = await create();
      const { secret } = await rotateWebhookSecret(fixture.registry, commandLine, id);
      await rotateWebhookSecret(fixture.registry, commandLine, id);
      assert.equal((await rowOf(id)).previous_secret, secret);
    });
  });

  describe('a disabled webhook', () => {
    test('is recorded, and no later event is queued', async () => {
      const { id } = await create();
      const events = await eventsOf(() => enable(id, false));
      assert.deepEqual(events, [
        { type: 'webhook.updated', changed: ['enabled'], before: { enabled: true }, after: { enabled: false } },
      ]);
      const queued = async () =>
        (await rowsOf(fixture.registry.storage, 'deliveries')).filter(({ webhook_id }) => webhook_id === id).length;
      const before = await queued();
      await fixture.newApp();
      assert.equal(await queued(), before);
      const { enabled } = await enable(id);
      assert.equal(enabled, true);
      await fixture.newApp();
      // The events of enabling it and of the app.
      assert.equal(await queued(), before + 2);
    });

    test('that the registry has disabled can be enabled again, without its failures', async () => {
      const { id } = await create();
      await fixture.registry.storage.write(async (transaction) => {
        await markFailing(transaction, { id, at: now - 5 * dayMs });
        await disableWebhook(transaction, { id, at: now, reason: 'It is gone.' });
      });
      const { enabled, disabledReason, failingSince } = await getWebhook(fixture.registry, id);
      assert.deepEqual(
        [enabled, disabledReason, failingSince],
        [false, 'It is gone.', new Date(now - 5 * dayMs).toISOString()],
      );
      assert.equal((await enable(id, false)).disabledReason, 'It is gone.', 'it is disabled already');
      const events = await eventsOf(() => enable(id));
      assert.deepEqual(events, [
        {
          type: 'webhook.updated',
          changed: ['enabled', 'disabledReason'],
          before: { enabled: false, disabledReason: 'It is gone.' },
          after: { enabled: true },
        },
      ]);
      const { disabledReason: reason, failingSince: failing } = await getWebhook(fixture.registry, id);
      assert.deepEqual([reason, failing], [undefined, undefined]);
    });

    test('is unchanged when it is disabled or enabled again', async () => {
      const { id } = await create();
      await fixture.registry.storage.write((transaction) => markFailing(transaction, { id, at: now }));
      for (const enabled of [true, false, true]) {
        await enable(id, enabled);
        const stored = await everything(fixture.registry.storage);
        now += 1_000;
        await enable(id, enabled);
        assert.deepEqual(await everything(fixture.registry.storage), stored);
      }
    });
  });

  test('a deleted webhook is removed with its deliveries, and other webhooks get an event', async () => {
    const other = await create({ types: ['webhook.deleted'] });
    const { secret: _, ...webhook } = await create({ name: 'Billing' });
    await fixture.newApp();
    const events = await eventsOf(async () => {
      assert.deepEqual(await deleteWebhook(fixture.registry, commandLine, webhook.id), webhook);
    });
    assert.deepEqual(events, [
      {
        type: 'webhook.deleted',
        before: {
          ...{ name: 'Billing', types: null, effectiveOnly: false, batch: false },
          ...{ requestsAtOnce: null, enabled: true },
        },
      },
    ]);
    const deliveries = await rowsOf(fixture.registry.storage, 'deliveries');
    assert.deepEqual(
      deliveries.filter(({ webhook_id }) => webhook_id === webhook.id),
      [],
    );
    assert.equal(deliveries.filter(({ webhook_id }) => webhook_id === other.id).length, 1);
    await assertRefused(fixture.registry, () => getWebhook(fixture.registry, webhook.id), 'webhook_not_found');
  });

  test('an unknown webhook cannot be changed', async () => {
    const { registry } = fixture;
    for (const id of [newId('webhook'), newId('app'), '', '\0']) {
      await assertRefused(registry, () => update(id, { name: 'x' }), 'webhook_not_found');
      await assertRefused(registry, () => enable(id), 'webhook_not_found');
      await assertRefused(registry, () => rotateWebhookSecret(registry, commandLine, id), 'webhook_not_found');
      await assertRefused(registry, () => deleteWebhook(registry, commandLine, id), 'webhook_not_found');
    }
  });

  test('concurrent changes of one webhook all succeed, and so do changes of two while events are queued', async () => {
    const [one, two] = [await create(), await create()];
    await Promise.all([
      update(one.id, { name: 'Both' }),
      update(one.id, { types: ['app.approved', 'webhook.updated'] }),
      rotateWebhookSecret(fixture.registry, commandLine, one.id),
      update(two.id, { name: 'Other' }),
      enable(two.id, false),
      ...Array.from({ length: 5 }, () => fixture.newApp()),
    ]);
    const { name, types, previousSecretUntil } = await getWebhook(fixture.registry, one.id);
    assert.deepEqual([name, types?.length, previousSecretUntil !== undefined], ['Both', 2, true]);
    const { name: otherName, enabled } = await getWebhook(fixture.registry, two.id);
    assert.deepEqual([otherName, enabled], ['Other', false]);
  });

  // Last, as its events slow down every test after it.
  test('a webhook with many pending deliveries is disabled before they are deleted, and deleted with all of them', async () => {
    const { registry } = fixture;
    const webhook = await create({ types: ['app.updated'] });
    const { id: appId } = await fixture.newApp();
    const change = { type: 'app.updated', appId, subjectId: appId, before: {}, after: {} } as const;
    const changes = Array(2_500).fill(change);
    await registry.storage.write((transaction) =>
      appendEvents(transaction, { caller: commandLine, at: registry.now(), changes }),
    );
    const events = await eventsOf(() => deleteWebhook(registry, commandLine, webhook.id));
    assert.deepEqual(
      events.map(({ type }) => type),
      ['webhook.updated', 'webhook.deleted'],
    );
    const deliveries = await rowsOf(registry.storage, 'deliveries');
    assert.ok(!deliveries.some(({ webhook_id }) => webhook_id === webhook.id));
  });
});
