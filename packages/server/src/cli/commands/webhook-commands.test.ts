import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onSqlite } from '@appregistrar/testkit/engines/engines';
import { CommandLine } from '@appregistrar/testkit/programs/command-line';
import { Webhook as Verifier } from 'standardwebhooks';
import type { OperatorDeveloper } from '../../features/developers/developer.ts';
import type { Delivery } from '../../features/webhooks/deliveries/delivery.ts';
import type { Webhook, WebhookWithSecret } from '../../features/webhooks/webhook.ts';
import type { PageOf } from '../../kernel/page.ts';

const url = 'https://hooks.example.com/app-registry?key=hidden';

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
  const createEvent = () => cli.done<OperatorDeveloper>('developer', 'create', '--email', 'ada@example.com');

  test('webhook create prints the webhook with its secret, which no other command prints', async () => {
    const { secret, ...webhook } = await create('--name', 'Billing');
    assert.ok(new Verifier(secret));
    const { id, createdAt, updatedAt, etag: _, ...rest } = webhook;
    assert.match(id, /^webhook_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
    assert.equal(updatedAt, createdAt);
    assert.deepEqual(rest, { url, name: 'Billing', effectiveOnly: false, batch: false, enabled: true });
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
