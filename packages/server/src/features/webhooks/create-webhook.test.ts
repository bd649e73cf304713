import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { updateAppAsOperator } from '@appregistrar/testkit/calls/apps';
import { createWebhook, getWebhook, listWebhooks, updateWebhook } from '@appregistrar/testkit/calls/webhooks';
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
import type { OperatorApp } from '../apps/app-schemas.ts';

const url = 'https://hooks.example.com/registry?key=hush';

forEachEngine((engine) => {
  const now = Date.parse('2026-03-01T09:30:00.000Z');
  let fixture: RegistryFixture;
  before(async () => {
    fixture = await RegistryFixture.open(engine, { now: () => now });
  });
  after(() => fixture.close());

  const create = (input: unknown) => createWebhook(fixture.registry, commandLine, input);
  const errors = async (input: unknown) =>
    validationErrorsOf(await assertRefused(fixture.registry, () => create(input), 'invalid_content'));

  describe('a webhook', () => {
    test('has an id and a secret in the format of Standard Webhooks, and starts enabled with all types', async () => {
      const { id, secret, ...rest } = await create({ url });
      assert.match(id, /^webhook_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
      assert.match(secret, /^whsec_[A-Za-z0-9+/]{32}$/);
      const at = '2026-03-01T09:30:00.000Z';
      assert.deepEqual(rest, { url, effectiveOnly: false, batch: false, enabled: true, createdAt: at, updatedAt: at });
      assert.notEqual((await create({ url })).secret, secret);
    });

    test('is shown and listed as it was created, except its secret', async () => {
      const { secret, ...created } = await create({ url, name: 'Billing', types: ['logo.created', 'app.approved'] });
      assert.deepEqual(created.types, ['app.approved', 'logo.created']);
      assert.deepEqual(await getWebhook(fixture.registry, created.id), created);
      const { items, prevCursor } = await listWebhooks(fixture.registry, { limit: 100 });
      assert.deepEqual([items.at(-1), prevCursor], [created, undefined]);
      assert.ok(!JSON.stringify(items).includes(secret));
    });

    test('is recorded in an event without its secret and address, and receives that event itself', async () => {
      let id = '';
      const [event, ...others] = await eventsDuring(fixture.registry, async () => {
        id = (await create({ url, name: 'Shown' })).id;
      });
      assert.deepEqual(others, []);
      assert.deepEqual([event?.type, event?.subject_id, event?.actor], ['webhook.created', id, 'command-line:demo']);
      assert.deepEqual(event?.after, {
        name: 'Shown',
        types: null,
        effectiveOnly: false,
        batch: false,
        requestsAtOnce: null,
        enabled: true,
      });
      assert.ok(!/whsec_|hush|hooks\.example/.test(JSON.stringify(event)));
      const deliveries = await rowsOf(fixture.registry.storage, 'deliveries');
      const own = deliveries.filter(({ webhook_id }) => webhook_id === id);
      assert.deepEqual(
        own.map(({ event_id, state }) => [event_id, state]),
        [[event?.id, 'pending']],
      );
    });

    test('for effective changes only receives those of its types, until it is updated', async () => {
      const { id } = await create({ url, types: ['app.updated', 'app.created'], effectiveOnly: true });
      const [draft, approved] = [await fixture.newApp(), await fixture.newApp({ status: 'APPROVED' })];
      const rename = ({ id: appId }: OperatorApp) =>
        updateAppAsOperator(fixture.registry, commandLine, { appId, update: { name: newId('name') } });
      await rename(draft);
      await rename(approved);
      await updateWebhook(fixture.registry, commandLine, { id, update: { effectiveOnly: false } });
      await rename(draft);
      const { storage } = fixture.registry;
      const deliveries = (await rowsOf(storage, 'deliveries')).filter(({ webhook_id }) => webhook_id === id);
      assert.deepEqual(deliveries.map(({ queue }) => queue).toSorted(), [draft.id, approved.id].toSorted());
    });

    test('takes known and distinct types, at least one', async () => {
      assert.deepEqual(await errors({ url, types: [] }), ['/types too_short']);
      assert.deepEqual(await errors({ url, types: ['app.approved', 'app.approved'] }), ['/types not_allowed']);
      assert.deepEqual(await errors({ url, types: ['app.approved', 'app.painted'] }), ['/types/1 not_allowed']);
      assert.deepEqual(await errors({ url, types: 'app.approved' }), ['/types wrong_type']);
    });

    test('is refused with all validation errors together', async () => {
      assert.deepEqual((await errors({ name: '', types: ['app'], secret: 'whsec_' })).toSorted(), [
        '/name too_short',
        '/secret unknown_field',
        '/types/0 not_allowed',
        '/url required',
      ]);
      assert.deepEqual(await errors(null), [' wrong_type']);
      assert.deepEqual(await errors({ url: '' }), ['/url too_short']);
    });

    test('that is unknown, or has an invalid id, is refused as not found', async () => {
      for (const id of [newId('webhook'), newId('app'), '', 'webhook_\0', '\ud800']) {
        await assertRefused(fixture.registry, () => getWebhook(fixture.registry, id), 'webhook_not_found');
      }
    });
  });

  test('a repeat under a key creates no second webhook and names the first without its secret', async () => {
    const caller: Caller = {
      actor: newId('token'),
      requestId: null,
      idempotency: { key: 'once', onReplay: () => assert.fail('a refusal is no replay') },
    };
    const { id, secret } = await createWebhook(fixture.registry, caller, { url });
    const again = () => createWebhook(fixture.registry, caller, { url });
    const failure = await assertRefused(fixture.registry, again, 'webhook_created');
    assert.ok(failure.message.includes(id));
    const stored = await everything(fixture.registry.storage);
    for (const table of ['events', 'idempotency_keys']) assert.ok(!JSON.stringify(stored[table]).includes(secret));
    assert.ok(!JSON.stringify(stored.idempotency_keys).includes('hush'));
    const other = () => createWebhook(fixture.registry, caller, { url: 'https://other.example.com/' });
    await assertRefused(fixture.registry, other, 'idempotency_key_reused');
  });

  describe('the address of a webhook', () => {
    const refused: Record<string, string[]> = {
      'is not a URL': ['hooks', '/hooks', 'ftp://hooks.example.com/', 'https:hooks.example.com', 'https://'],
      'holds credentials': ['https://ada@hooks.example.com/', 'https://ada:hush@hooks.example.com/'],
      'has a fragment': ['https://hooks.example.com/#top'],
      'is ambiguous': ['https://hooks.example.com\\@other.example/', 'https://127.1/'],
      'has characters beyond ASCII': ['https://hööks.example.com/', 'https://hooks.example.com/ä'],
      'has white space': [' https://hooks.example.com/', 'https://hooks.example.com/\n'],
    };
    for (const [what, addresses] of Object.entries(refused)) {
      test(`is refused when it ${what}`, async () => {
        for (const address of addresses) {
          assert.deepEqual(await errors({ url: address }), ['/url invalid_format'], address);
        }
      });
    }

    test('has at most 2,048 characters', async () => {
      const ofLength = (length: number) => 'https://hooks.example.com/'.padEnd(length, 'a');
      assert.deepEqual(await errors({ url: ofLength(2049) }), ['/url too_long']);
      assert.equal((await create({ url: ofLength(2048) })).url.length, 2048);
    });

    const inside = [
      'https://127.0.0.1/',
      'https://10.1.2.3:8443/hook',
      'https://169.254.169.254/latest/meta-data/',
      'https://[::1]/',
      'https://[fd00::7]/',
      'https://[2001:db8::7]/',
      'https://localhost/',
      'https://LOCALHOST./',
      'https://hooks.localhost/',
    ];

    test('is refused when it is visibly outside the public internet, and the error says why', async () => {
      for (const address of inside) {
        const failure = await assertRefused(fixture.registry, () => create({ url: address }), 'invalid_content');
        assert.deepEqual(validationErrorsOf(failure), ['/url not_allowed'], address);
        assert.match(failure.errors?.[0]?.detail ?? '', /public internet.*WEBHOOK_ALLOW_PRIVATE=1/);
      }
      const [error] = await errors({ url: 'http://hooks.example.com/' });
      assert.equal(error, '/url not_allowed');
    });

    test('may be anywhere, even by http, if the configuration allows it', async () => {
      const registry = { ...fixture.registry, webhookAllowPrivate: true };
      for (const address of [...inside, 'http://hooks.internal:8080/']) {
        assert.equal((await createWebhook(registry, commandLine, { url: address })).url, address);
      }
    });

    test('is also checked when it changes', async () => {
      const { id } = await create({ url });
      for (const address of ['https://10.0.0.1/', 'http://hooks.example.com/']) {
        const change = () => updateWebhook(fixture.registry, commandLine, { id, update: { url: address } });
        assert.deepEqual(validationErrorsOf(await assertRefused(fixture.registry, change, 'invalid_content')), [
          '/url not_allowed',
        ]);
      }
    });
  });
});
