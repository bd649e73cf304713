import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { updateDeveloper } from '@appregistrar/testkit/calls/developers';
import { deleteInstallation, setInstallationEnabled } from '@appregistrar/testkit/calls/installations';
import { reviewApp } from '@appregistrar/testkit/calls/review';
import {
  createWebhook,
  deleteWebhook,
  redeliverWebhook,
  setWebhookEnabled,
  testWebhook,
  updateWebhook,
} from '@appregistrar/testkit/calls/webhooks';
import { forEachEngine } from '@appregistrar/testkit/engines/engines';
import { assertRefused, everything, rowsOf } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { execute } from '@appregistrar/testkit/storage/storage-test';
import { openStorage } from '../storage/open-storage.ts';
import { Failure } from './failure.ts';
import { type Caller, commandLine, type Registry } from './registry.ts';

/** What came of a request: `done`, `replayed` or the code of its refusal. */
type Outcome = string;

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let registry: Registry;
  let actor: string;
  before(async () => {
    fixture = await RegistryFixture.open(engine);
    registry = fixture.registry;
    actor = (await fixture.newToken('operator')).id;
  });
  after(() => fixture.close());

  let keysUsed = 0;
  /** A key that no other test uses. */
  const newKey = () => {
    keysUsed += 1;
    return `key-${keysUsed}`;
  };
  const under = (key: string, onReplay = () => {}): Caller => ({
    actor,
    requestId: null,
    idempotency: { key, onReplay },
  });

  async function outcomeOf(key: string, work: (caller: Caller) => Promise<unknown>): Promise<Outcome> {
    let outcome = 'done';
    const caller = under(key, () => {
      outcome = 'replayed';
    });
    try {
      await work(caller);
      return outcome;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return error.code;
    }
  }

  test('of concurrent requests with one key in two processes, only one takes effect', async () => {
    const other: Registry = { ...registry, storage: await openStorage(fixture.databaseUrl) };
    const { id: appId } = await fixture.newApp();
    const key = newKey();
    const submit = (target: Registry) =>
      outcomeOf(key, (caller) => reviewApp(target, caller, { appId, step: 'submit' }));
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, (_, index) => submit(index % 2 === 0 ? registry : other)),
    );
    await other.storage.close();
    assert.equal(outcomes.filter((outcome) => outcome === 'done').length, 1, outcomes.join());
    // None of them was validated by the status that the first has left.
    assert.ok(outcomes.every((outcome) => ['done', 'replayed', 'request_in_progress'].includes(outcome)));
    assert.equal(await submit(registry), 'replayed');
    assert.deepEqual(
      (await fixture.eventsOf(appId)).map(({ type }) => type),
      ['app.created', 'app.submitted'],
    );
  });

  test('changes of one app that share transactions are each made once', async () => {
    const app = await fixture.newApp({ status: 'APPROVED' });
    const installations = await Promise.all(Array.from({ length: 20 }, () => fixture.install(app)));
    const keys = installations.map(newKey);
    const disableAll = () =>
      Promise.all(
        installations.map(({ id }, index) =>
          outcomeOf(keys[index] ?? '', (caller) => setInstallationEnabled(registry, caller, { id, enabled: false })),
        ),
      );
    assert.deepEqual(
      await disableAll(),
      keys.map(() => 'done'),
    );
    const before = await everything(registry.storage);
    assert.deepEqual(
      await disableAll(),
      keys.map(() => 'replayed'),
    );
    assert.deepEqual(await everything(registry.storage), before);
  });

  test('a change whose key cannot be stored is not made, and its retry makes it', async () => {
    const { id: appId } = await fixture.newApp();
    const app = await fixture.newApp({ status: 'APPROVED' });
    const { id } = await fixture.install(app);
    const changes = [
      [newKey(), (caller: Caller) => reviewApp(registry, caller, { appId, step: 'submit' })],
      [newKey(), (caller: Caller) => setInstallationEnabled(registry, caller, { id, enabled: false })],
    ] as const;
    const before = await everything(registry.storage);
    await failKeys();
    for (const [key, change] of changes) await assert.rejects(change(under(key)));
    assert.deepEqual(await everything(registry.storage), before);
    await acceptKeys();
    for (const [key, change] of changes) assert.equal(await outcomeOf(key, change), 'done');
    for (const [key, change] of changes) assert.equal(await outcomeOf(key, change), 'replayed');
  });

  test('a retry gets the first response even after the changed object is deleted', async () => {
    const { id } = await fixture.install(await fixture.newApp({ status: 'APPROVED' }));
    const caller = under(newKey());
    const first = await setInstallationEnabled(registry, caller, { id, enabled: false });
    await deleteInstallation(registry, commandLine, id);
    assert.deepEqual(await setInstallationEnabled(registry, caller, { id, enabled: false }), first);
    await assertRefused(
      registry,
      () => setInstallationEnabled(registry, caller, { id, enabled: true }),
      'idempotency_key_reused',
    );
  });

  test('a retry gets the first status of a webhook with its current URL, and nothing once the webhook is deleted', async () => {
    const { id } = await createWebhook(registry, commandLine, { url: 'https://one.example/hook' });
    const key = newKey();
    const first = await setWebhookEnabled(registry, under(key), { id, enabled: false });
    await setWebhookEnabled(registry, commandLine, { id, enabled: true });
    await updateWebhook(registry, commandLine, { id, update: { url: 'https://two.example/hook' } });
    const again = await setWebhookEnabled(registry, under(key), { id, enabled: false });
    assert.deepEqual(again, { ...first, url: 'https://two.example/hook' });
    await deleteWebhook(registry, commandLine, id);
    const disable = () => setWebhookEnabled(registry, under(key), { id, enabled: false });
    await assertRefused(registry, disable, 'webhook_not_found');
  });

  test('a retry shows a developer with the current personal data, which is not stored with the key', async () => {
    const { userId } = fixture.otherDeveloper;
    const change = (caller: Caller, firstName: string) =>
      updateDeveloper(registry, caller, { userId, update: { firstName } });
    const key = newKey();
    await change(under(key), 'Grace');
    await change(commandLine, 'Admiral');
    assert.equal((await change(under(key), 'Grace')).firstName, 'Admiral');
    const rows = (await rowsOf(registry.storage, 'idempotency_keys')).filter((row) => row.key === key);
    assert.equal(rows.length, 1);
    assert.doesNotMatch(JSON.stringify(rows), /Grace|@example/);
  });

  test('a redelivery in batches stores its key with the last one: a retry of it redelivers nothing', async () => {
    const { id: webhookId } = await createWebhook(registry, commandLine, { url: 'https://hooks.example/' });
    const { id } = await testWebhook(registry, commandLine, webhookId);
    const [row] = (await rowsOf(registry.storage, 'deliveries')).filter((one) => one.id === id);
    const delivered = { ...(row ?? assert.fail()), state: 'delivered' as const, finished_at: registry.now() };
    await registry.storage.write((transaction) =>
      transaction.insertNew(
        'deliveries',
        Array.from({ length: 1_500 }, (_, index) => ({ ...delivered, id: `${id}_${index}` })),
      ),
    );
    const redelivery = { since: '2024-01-01T00:00:00.000Z' };
    const key = newKey();
    const first = await redeliverWebhook(registry, under(key), { webhookId, redelivery });
    assert.equal(first.deliveriesRedelivered, 1_500);
    await change(`update deliveries set state = 'delivered' where webhook_id = '${webhookId}'`);
    const before = await everything(registry.storage);
    assert.deepEqual(await redeliverWebhook(registry, under(key), { webhookId, redelivery }), first);
    assert.deepEqual(await everything(registry.storage), before);
  });

  /** From now on the database refuses every key, as when the process dies before it is stored. */
  async function failKeys(): Promise<void> {
    const body = engine.name === 'sqlite' ? `begin select raise(abort, 'no key'); end` : 'execute function no_key()';
    if (engine.name === 'postgres') {
      await change(`create function no_key() returns trigger language plpgsql as $$ begin raise 'no key'; end $$`);
    }
    await change(`create trigger no_key before insert on idempotency_keys for each row ${body}`);
  }

  async function acceptKeys(): Promise<void> {
    await change(`drop trigger no_key${engine.name === 'sqlite' ? '' : ' on idempotency_keys'}`);
  }

  async function change(text: string): Promise<void> {
    await registry.storage.write((transaction) => execute(transaction, text));
  }
});
