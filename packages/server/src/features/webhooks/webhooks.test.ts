import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { updateAppAsOperator } from '@appregistrar/testkit/calls/apps';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
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
import type { Failure } from '../../kernel/failure.ts';
import { newId } from '../../kernel/ids.ts';
import { type AnyOperation, runOperation } from '../../kernel/operation.ts';
import { type Caller, commandLine } from '../../kernel/registry.ts';
import type { WriteWork } from '../../storage/storage.ts';
import type { OperatorApp } from '../apps/app-schemas.ts';
import { appendEvents } from '../events/append-event.ts';
import { deliveryOperations } from './deliveries/deliveries.ts';
import type { NewWebhook, Webhook } from './webhook.ts';
import { disableWebhook, findWebhook, markFailing } from './webhook-queries.ts';
import { webhookOperations } from './webhooks.ts';

const url = 'https://hooks.example.com/registry?key=hush';
const dayMs = 86_400_000;
/** A webhook of these settings in its events. */
const settings = { types: null, effectiveOnly: false, batch: false, requestsAtOnce: null, enabled: true };

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

  const time = (at: number) => new Date(at).toISOString();
  const create = (given: Partial<NewWebhook> = {}) => createWebhook(fixture.registry, commandLine, { url, ...given });
  const get = (id: string) => getWebhook(fixture.registry, id);
  const update = (id: string, changes: unknown) =>
    updateWebhook(fixture.registry, commandLine, { id, update: changes });
  const rotate = (id: string, caller = commandLine) => rotateWebhookSecret(fixture.registry, caller, id);
  const enable = (id: string, enabled = true) => setWebhookEnabled(fixture.registry, commandLine, { id, enabled });
  const write = (work: WriteWork<unknown>) => fixture.registry.storage.write(work);
  const rowOf = async (id: string) => (await findWebhook(fixture.registry.storage.reader, { id })) ?? assert.fail();
  const deliveriesOf = async (id: string) =>
    (await rowsOf(fixture.registry.storage, 'deliveries')).filter(({ webhook_id }) => webhook_id === id);
  const eventsOf = async (work: () => Promise<unknown>) => {
    const events = await eventsDuring(fixture.registry, work);
    assert.ok(!/whsec_|hush|hooks\.example/.test(JSON.stringify(events)), 'neither a secret nor an address');
    return events.map(({ type, details, before: was, after: is }) => ({
      type,
      ...details,
      ...(was && { before: was }),
      ...(is && { after: is }),
    }));
  };
  const assertUnchanged = async (work: () => Promise<unknown>) => {
    const stored = await everything(fixture.registry.storage);
    now += 1_000;
    await work();
    assert.deepEqual(await everything(fixture.registry.storage), stored);
  };

  describe('a new webhook', () => {
    test('has an id and a secret in the format of Standard Webhooks, and starts enabled with all types', async () => {
      const { id, secret, etag: _, ...rest } = await create();
      assert.match(id, /^webhook_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
      assert.match(secret, /^whsec_[A-Za-z0-9+/]{32}$/);
      const at = time(now);
      assert.deepEqual(rest, { url, effectiveOnly: false, batch: false, enabled: true, createdAt: at, updatedAt: at });
      assert.notEqual((await create()).secret, secret);
    });

    test('is shown and listed as it was created, except its secret', async () => {
      const { secret: _, ...created } = await create({ name: 'Billing', types: ['logo.created', 'app.approved'] });
      assert.deepEqual(created.types, ['app.approved', 'logo.created']);
      assert.deepEqual(await get(created.id), created);
      assert.deepEqual((await listWebhooks(fixture.registry, { limit: 100 })).items.at(-1), created);
    });

    test('receives the event of its creation, which has neither its address nor its secret', async () => {
      let id = '';
      const events = await eventsOf(async () => {
        id = (await create({ name: 'Shown' })).id;
      });
      assert.deepEqual(events, [{ type: 'webhook.created', after: { name: 'Shown', ...settings } }]);
      const [own, ...others] = await deliveriesOf(id);
      assert.deepEqual([own?.state, others], ['pending', []]);
    });

    test('for effective changes only receives those of its types, until it is updated', async () => {
      const { id } = await create({ types: ['app.updated', 'app.created'], effectiveOnly: true });
      const [draft, approved] = [await fixture.newApp(), await fixture.newApp({ status: 'APPROVED' })];
      const rename = ({ id: appId }: OperatorApp) =>
        updateAppAsOperator(fixture.registry, commandLine, { appId, update: { name: newId('name') } });
      await rename(draft);
      await rename(approved);
      await update(id, { effectiveOnly: false });
      await rename(draft);
      const queues = (await deliveriesOf(id)).map(({ queue }) => queue);
      assert.deepEqual(queues.toSorted(), [draft.id, approved.id].toSorted());
    });
  });

  describe('the address of a webhook', () => {
    // `url.test.ts` has all of the rules.
    const malformed = ['hooks', 'ftp://hooks.example.com/', 'https://ada@hooks.example.com/', 'https://127.1/'];
    const inside = [
      ...['https://127.0.0.1/', 'https://10.1.2.3:8443/hook', 'https://169.254.169.254/latest/meta-data/'],
      ...['https://[::1]/', 'https://[fd00::7]/', 'https://[2001:db8::7]/'],
      ...['https://localhost/', 'https://LOCALHOST./', 'https://hooks.localhost/'],
    ];
    const refused = (work: () => Promise<unknown>): Promise<Failure> =>
      assertRefused(fixture.registry, work, 'invalid_content');

    test('is refused if it is not a URL of ASCII characters that names its host without doubt', async () => {
      for (const address of malformed) {
        const failure = await refused(() => create({ url: address }));
        assert.deepEqual(validationErrorsOf(failure), ['/url invalid_format'], address);
      }
    });

    test('is refused when it is visibly outside the public internet, also by an update, and the error says why', async () => {
      const { id } = await create();
      for (const change of [create, (given: object) => update(id, given)]) {
        for (const address of inside) {
          const failure = await refused(() => change({ url: address }));
          assert.deepEqual(validationErrorsOf(failure), ['/url not_allowed'], address);
          assert.match(failure.errors?.[0]?.detail ?? '', /public internet.*WEBHOOK_ALLOW_PRIVATE=1/);
        }
        const failure = await refused(() => change({ url: 'http://hooks.example.com/' }));
        assert.deepEqual(validationErrorsOf(failure), ['/url not_allowed']);
      }
    });

    test('may be anywhere, even by http, if the configuration allows it', async () => {
      const registry = { ...fixture.registry, webhookAllowPrivate: true };
      for (const address of [...inside, 'http://hooks.internal:8080/']) {
        assert.equal((await createWebhook(registry, commandLine, { url: address })).url, address);
      }
    });
  });

  describe('updating a webhook', () => {
    test('changes only the given fields, and the event names the changes', async () => {
      const { secret: _, ...webhook } = await create({ name: 'Billing', types: ['app.approved'] });
      now += 1_000;
      let updated: Webhook | undefined;
      const events = await eventsOf(async () => {
        updated = await update(webhook.id, { name: 'Ledger', types: ['app.revoked', 'app.approved'] });
      });
      const types = ['app.approved', 'app.revoked'];
      const shown = await get(webhook.id);
      assert.deepEqual(shown, { ...webhook, name: 'Ledger', types, updatedAt: time(now), etag: shown.etag });
      assert.deepEqual(updated, shown);
      const [before, after] = [
        { name: 'Billing', types: ['app.approved'] },
        { name: 'Ledger', types },
      ];
      assert.deepEqual(events, [{ type: 'webhook.updated', changed: ['name', 'types'], before, after }]);
    });

    test('removes the name and subscribes to all types with null', async () => {
      const { id } = await create({ name: 'Billing', types: ['app.approved'] });
      const events = await eventsOf(() => update(id, { name: null, types: null }));
      const { name, types } = await get(id);
      assert.deepEqual([name, types], [undefined, undefined]);
      assert.deepEqual(events[0]?.after, { name: null, types: null });
    });

    test('names a changed address in the event without its value, and resets the failures', async () => {
      const { id } = await create();
      await write((transaction) => markFailing(transaction, { id, at: now - dayMs }));
      assert.equal((await update(id, { name: 'Same' })).failingSince, time(now - dayMs));
      const other = 'https://hooks.example.com/registry?key=hush2';
      const events = await eventsOf(() => update(id, { url: other }));
      assert.deepEqual(events, [{ type: 'webhook.updated', changed: ['url'] }]);
      const { url: current, failingSince } = await get(id);
      assert.deepEqual([current, failingSince], [other, undefined]);
    });

    test('without a change changes nothing and has no event', async () => {
      const { id } = await create({ name: 'Billing', types: ['app.revoked', 'app.approved'] });
      await assertUnchanged(() => update(id, {}));
      await assertUnchanged(() => update(id, { url, name: 'Billing', types: ['app.approved', 'app.revoked'] }));
    });
  });

  describe('rotating a secret', () => {
    test('shows a new one once, and only the previous one stays valid for 24 hours', async () => {
      const { secret, id } = await create();
      const rotated = await rotate(id);
      assert.match(rotated.secret, /^whsec_[A-Za-z0-9+/]{32}$/);
      assert.equal(rotated.previousSecretUntil, time(now + dayMs));
      const stored = async () => {
        const { secret, previous_secret, previous_secret_until } = await rowOf(id);
        return [secret, previous_secret, previous_secret_until];
      };
      assert.deepEqual(await stored(), [rotated.secret, secret, now + dayMs]);
      assert.ok(!JSON.stringify(await get(id)).includes('whsec_'));
      let again = '';
      const events = await eventsOf(async () => {
        again = (await rotate(id)).secret;
      });
      assert.deepEqual(events, [{ type: 'webhook.updated', changed: ['secret'] }]);
      assert.deepEqual(await stored(), [again, rotated.secret, now + dayMs]);
      now += dayMs;
      assert.equal((await get(id)).previousSecretUntil, undefined);
    });

    test('repeated under the same key neither shows nor creates a newer secret', async () => {
      const { id } = await create();
      const caller: Caller = { ...commandLine, idempotency: { key: 'late-repeat', onReplay: () => {} } };
      await rotate(id, caller);
      await rotate(id);
      const failure = await assertRefused(fixture.registry, () => rotate(id, caller), 'secret_replaced');
      assert.ok(failure.message.includes(id));
    });
  });

  describe('a disabled webhook', () => {
    test('is recorded, and no later event is queued', async () => {
      const { id } = await create();
      const events = await eventsOf(() => enable(id, false));
      const [before, after] = [{ enabled: true }, { enabled: false }];
      assert.deepEqual(events, [{ type: 'webhook.updated', changed: ['enabled'], before, after }]);
      const queued = (await deliveriesOf(id)).length;
      await fixture.newApp();
      assert.equal((await deliveriesOf(id)).length, queued);
      assert.equal((await enable(id)).enabled, true);
      await fixture.newApp();
      // The events of enabling it and of the app.
      assert.equal((await deliveriesOf(id)).length, queued + 2);
    });

    test('that the registry has disabled can be enabled again, without its failures', async () => {
      const { id } = await create();
      const reason = 'It is gone.';
      await write(async (transaction) => {
        await markFailing(transaction, { id, at: now - 5 * dayMs });
        await disableWebhook(transaction, { id, at: now, reason });
      });
      const shown = async () => {
        const { enabled, disabledReason, failingSince } = await get(id);
        return [enabled, disabledReason, failingSince];
      };
      assert.deepEqual(await shown(), [false, reason, time(now - 5 * dayMs)]);
      assert.equal((await enable(id, false)).disabledReason, reason, 'it is disabled already');
      const events = await eventsOf(() => enable(id));
      const changed = ['enabled', 'disabledReason'];
      const [before, after] = [{ enabled: false, disabledReason: reason }, { enabled: true }];
      assert.deepEqual(events, [{ type: 'webhook.updated', changed, before, after }]);
      assert.deepEqual(await shown(), [true, undefined, undefined]);
    });

    test('is unchanged when it is disabled or enabled again', async () => {
      const { id } = await create();
      await write((transaction) => markFailing(transaction, { id, at: now }));
      for (const enabled of [true, false, true]) {
        await enable(id, enabled);
        await assertUnchanged(() => enable(id, enabled));
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
    assert.deepEqual(events, [{ type: 'webhook.deleted', before: { name: 'Billing', ...settings } }]);
    assert.deepEqual(await deliveriesOf(webhook.id), []);
    assert.equal((await deliveriesOf(other.id)).length, 1);
    await assertRefused(fixture.registry, () => get(webhook.id), 'webhook_not_found');
  });

  test('an id of no webhook or delivery is reported as not found by every operation, regardless of its characters', async () => {
    const bodies: Record<string, object> = { redeliverWebhook: { since: time(now) }, updateWebhook: {} };
    for (const operation of Object.values<AnyOperation>({ ...webhookOperations, ...deliveryOperations })) {
      if (!operation.path.includes(':id')) continue;
      const code = operation.path.includes('/deliveries/') ? 'delivery_not_found' : 'webhook_not_found';
      for (const id of [newId('webhook'), newId('delivery'), newId('app'), '', 'webhook_\0', '\ud800']) {
        const call = { caller: commandLine, params: { id }, body: bodies[operation.id] };
        await assertRefused(fixture.registry, () => runOperation(operation, fixture.registry, call), code);
      }
    }
  });

  test('concurrent changes of one webhook all succeed, and so do changes of two while events are queued', async () => {
    const [one, two] = [await create(), await create()];
    const [first, second] = await Promise.all([
      rotate(one.id),
      rotate(one.id),
      update(one.id, { name: 'Both' }),
      update(one.id, { types: ['app.approved', 'webhook.updated'] }),
      update(two.id, { name: 'Other' }),
      enable(two.id, false),
      ...Array.from({ length: 5 }, () => fixture.newApp()),
    ]);
    const { name, types } = await get(one.id);
    assert.deepEqual([name, types?.length], ['Both', 2]);
    const { secret, previous_secret } = await rowOf(one.id);
    assert.deepEqual(new Set([secret, previous_secret]), new Set([first.secret, second.secret]));
    const { name: otherName, enabled } = await get(two.id);
    assert.deepEqual([otherName, enabled], ['Other', false]);
  });

  // Last, as its events slow down every test after it.
  test('a webhook with many pending deliveries is disabled before they are deleted, and deleted with all of them', async () => {
    const { registry } = fixture;
    const { id } = await create({ types: ['app.updated'] });
    const { id: appId } = await fixture.newApp();
    const change = { type: 'app.updated', appId, subjectId: appId, before: {}, after: {} } as const;
    const changes = Array(2_500).fill(change);
    await write((transaction) => appendEvents(transaction, { caller: commandLine, at: now, changes }));
    const events = await eventsOf(() => deleteWebhook(registry, commandLine, id));
    assert.deepEqual(
      events.map(({ type }) => type),
      ['webhook.updated', 'webhook.deleted'],
    );
    assert.deepEqual(await deliveriesOf(id), []);
  });
});
