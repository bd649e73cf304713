import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { CommandLine, validationErrorsOf } from '@appregistrar/testkit/programs/command-line';
import { Webhook as Verifier } from 'standardwebhooks';
import type { Developer } from '../../contract/developer.ts';
import type { EventPage } from '../../contract/event-query.ts';
import type { PageOf } from '../../contract/page.ts';
import type { Delivery, Webhook, WebhookWithSecret } from '../../contract/webhook.ts';
import { openStorage } from '../../storage/open-storage.ts';
import { execute } from '../../storage/testing/storage-test.ts';

const url = 'https://hooks.example.com/app-registry?key=hidden';
const unknown = 'webhook_01jq3w5n3kf7wt0b2x8q4p1e6f';
const longAgo = '2024-01-01T00:00:00Z';

onSqlite((engine) => {
  let cli: CommandLine;
  before(async () => {
    cli = await CommandLine.open(engine);
  });
  after(() => cli.close());

  const create = (...options: string[]) => cli.done<WebhookWithSecret>('webhook', 'create', '--url', url, ...options);
  const show = (id: string) => cli.done<Webhook>('webhook', 'get', id);
  const deliveries = async (id: string, ...options: string[]) =>
    (await cli.done<PageOf<Delivery>>('delivery', 'list', id, ...options)).items;
  const createEvent = () => cli.done<Developer>('developer', 'create', '--email', 'ada@example.com');

  test('webhook create prints the webhook with its secret, which no other command prints', async () => {
    const { secret, ...webhook } = await create('--name', 'Billing');
    assert.ok(new Verifier(secret));
    const { id, createdAt, updatedAt, ...rest } = webhook;
    assert.match(id, /^webhook_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
    assert.equal(updatedAt, createdAt);
    assert.deepEqual(rest, { url, name: 'Billing', batch: false, enabled: true });
    assert.deepEqual(await show(id), webhook);
    const { items } = await cli.done<PageOf<Webhook>>('webhook', 'list', '--limit', '100');
    assert.deepEqual(items.at(-1), webhook);
    assert.doesNotMatch(JSON.stringify(await cli.done('event', 'list', '--limit', '100')), /whsec_|hidden/);
  });

  test('webhook create accepts several types, in either notation', async () => {
    const types = ['app.approved', 'app.revoked'];
    for (const given of [
      ['--type', ...types],
      ['--type', 'app.revoked', '--type', 'app.approved'],
    ]) {
      const { id } = await create(...given);
      assert.deepEqual((await show(id)).types, types);
      await createEvent();
      assert.deepEqual(await deliveries(id), []);
    }
  });

  test('webhook update changes the given fields, and can switch back to all types', async () => {
    const { id } = await create('--name', 'Billing', '--type', 'app.approved');
    const update = (...options: string[]) => cli.done<Webhook>('webhook', 'update', id, ...options);
    const other = 'https://hooks.example.com/v2';
    const changed = await update('--url', other, '--type', 'app.revoked');
    assert.deepEqual([changed.url, changed.name, changed.types], [other, 'Billing', ['app.revoked']]);
    const bare = await update('--no-name', '--all-types');
    assert.deepEqual([bare.url, bare.name, bare.types], [other, undefined, undefined]);
    assert.deepEqual(await update(), await show(id));
  });

  test('webhook rotate-secret prints a new secret, and until when the previous one signs', async () => {
    const { id, secret } = await create();
    const rotated = await cli.done<WebhookWithSecret>('webhook', 'rotate-secret', id, '--actor', 'key-rotation');
    assert.ok(new Verifier(rotated.secret));
    assert.notEqual(rotated.secret, secret);
    const { secret: _, ...webhook } = rotated;
    assert.deepEqual(await show(id), webhook);
    const leftMs = Date.parse(webhook.previousSecretUntil ?? '') - Date.now();
    assert.ok(leftMs > 23 * 3_600_000 && leftMs <= 24 * 3_600_000);
    const { items } = await cli.done<EventPage>('event', 'list', '--actor', 'command-line:key-rotation');
    const event = items.at(-1);
    assert.ok(event?.type === 'webhook.updated');
    assert.ok(event.data.changed.includes('secret'));
  });

  test('webhook disable and enable print the webhook, and events in between are not delivered', async () => {
    const { id } = await create();
    const before = (await deliveries(id, '--limit', '100')).length;
    assert.equal((await cli.done<Webhook>('webhook', 'disable', id)).enabled, false);
    await createEvent();
    assert.equal((await deliveries(id, '--limit', '100')).length, before);
    assert.equal((await cli.refused('webhook', 'test', id)).code, 'webhook_disabled');
    assert.equal((await cli.done<Webhook>('webhook', 'enable', id)).enabled, true);
    await createEvent();
    assert.equal((await deliveries(id))[0]?.eventType, 'developer.created');
  });

  test('webhook test prints its delivery, and no other webhook gets one', async () => {
    const [tested, other] = [await create(), await create()];
    const delivery = await cli.done<Delivery>('webhook', 'test', tested.id);
    assert.deepEqual(
      [delivery.webhookId, delivery.eventType, delivery.state],
      [tested.id, 'webhook.tested', 'pending'],
    );
    assert.deepEqual((await deliveries(tested.id))[0], delivery);
    assert.ok((await deliveries(other.id)).every(({ eventType }) => eventType !== 'webhook.tested'));
  });

  test('delivery list prints pages, filtered by state, and delivery redeliver redelivers one or all', async () => {
    const { id } = await create('--type', 'developer.created');
    for (let count = 0; count < 3; count += 1) await createEvent();
    const [newest, ...others] = await deliveries(id);
    assert.equal(others.length, 2);
    assert.deepEqual(await deliveries(id, '--state', 'failed'), []);
    await failDeliveries(id);
    const failed = await deliveries(id, '--state', 'failed');
    assert.equal(failed.length, 3);
    assert.deepEqual([failed[0]?.response], [{ status: 503, body: 'down for a while' }]);
    const page = await cli.done<PageOf<Delivery>>('delivery', 'list', id, '--limit', '2');
    assert.deepEqual(page.items, failed.slice(0, 2));
    assert.deepEqual(await deliveries(id, '--limit', '2', '--cursor', page.nextCursor ?? ''), failed.slice(2));

    const again = await cli.done<Delivery>('delivery', 'redeliver', newest?.id ?? '');
    assert.deepEqual([again.id, again.state, again.attempts], [newest?.id, 'pending', 0]);
    const all = ['delivery', 'redeliver', '--webhook', id, '--since'];
    assert.deepEqual(await cli.done(...all, '9999-01-01T00:00:00Z'), { webhookId: id, deliveriesRedelivered: 0 });
    assert.deepEqual(await cli.done(...all, longAgo), { webhookId: id, deliveriesRedelivered: 2 });
    assert.equal((await deliveries(id, '--state', 'pending')).length, 3);
    assert.deepEqual(validationErrorsOf(await cli.refused(...all, 'yesterday')), ['/since invalid_format']);
  });

  /** Marks each delivery as failed after its last attempt. */
  async function failDeliveries(id: string): Promise<void> {
    const storage = await openStorage(cli.databaseUrl);
    await storage.write((transaction) =>
      execute(
        transaction,
        `update deliveries set state = 'failed', attempts = 8, attempted_at = 1, finished_at = 1, response_status = 503,
        response_body = 'down for a while' where webhook_id = '${id}'`,
      ),
    );
    await storage.close();
  }

  test('webhook delete prints the deleted webhook', async () => {
    const { secret: _, ...webhook } = await create();
    assert.deepEqual(await cli.done('webhook', 'delete', webhook.id), webhook);
    assert.equal((await cli.refused('webhook', 'get', webhook.id)).code, 'webhook_not_found');
  });

  test('malformed, unencrypted and private URLs and unknown ids are refused', async () => {
    for (const address of ['hooks.example.com', 'http://hooks.example.com', 'https://10.0.0.1/hook', '']) {
      const refusal = await cli.refused('webhook', 'create', '--url', address);
      assert.deepEqual(
        new Set(validationErrorsOf(refusal).map((error) => error.split(' ')[0])),
        new Set(['/url']),
        address,
      );
    }
    for (const command of ['get', 'update', 'rotate-secret', 'enable', 'disable', 'delete', 'test']) {
      assert.equal((await cli.refused('webhook', command, unknown)).code, 'webhook_not_found', command);
    }
    assert.equal((await cli.refused('delivery', 'list', unknown)).code, 'webhook_not_found');
    const all = ['--webhook', unknown, '--since', longAgo];
    assert.equal((await cli.refused('delivery', 'redeliver', ...all)).code, 'webhook_not_found');
    assert.equal((await cli.refused('delivery', 'redeliver', unknown)).code, 'delivery_not_found');
  });

  test('text output shows the secret, one field per line', async () => {
    const { status, stdout } = await cli.run(
      'webhook',
      'create',
      '--url',
      url,
      '--type',
      'app.approved',
      'app.revoked',
    );
    assert.equal(status, 0);
    assert.match(stdout, /^secret +whsec_\S+$/m);
    assert.match(stdout, /^types +app\.approved, app\.revoked$/m);
  });
});
