import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createDeveloper, updateDeveloper } from '@appregistrar/testkit/calls/developers';
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
import { assertRefused, contentOf, everything, rowsOf } from '@appregistrar/testkit/registry/recorded';
import { RegistryFixture } from '@appregistrar/testkit/registry/registry-fixture';
import { execute, someoneWaits } from '@appregistrar/testkit/storage/storage-test';
import { findAppForUpdate } from '../features/apps/app-queries.ts';
import type { OperatorApp } from '../features/apps/app-schemas.ts';
import { updateApp } from '../features/apps/update-app.ts';
import { openStorage } from '../storage/open-storage.ts';
import { Failure } from './failure.ts';
import { pruneIdempotencyKeys } from './idempotency.ts';
import { type Caller, commandLine, type Registry } from './registry.ts';
import { observeClock } from './time.ts';

const dayMs = 86_400_000;

forEachEngine((engine) => {
  let fixture: RegistryFixture;
  let registry: Registry;
  let app: OperatorApp;
  let actor: string;
  let now = Date.parse('2026-03-01T09:30:00.000Z');
  before(async () => {
    fixture = await RegistryFixture.open(engine, { now: () => now });
    registry = fixture.registry;
    await observeClock(registry);
    app = await fixture.newApp({ status: 'APPROVED' });
    actor = (await fixture.newToken('operator')).id;
  });
  after(() => fixture.close());

  /** A caller with a key, whose requests are all of one actor unless it is another one. */
  const under = (key: string, onReplay = () => {}, who = actor): Caller => ({
    ...{ actor: who, requestId: null, idempotency: { key, onReplay } },
  });

  /** Does some work under a key: its result, and whether that is the one of an earlier request. */
  async function repeated<Result>(key: string, work: (caller: Caller) => Promise<Result>, who = actor) {
    let isReplayed = false;
    const onReplay = () => {
      isReplayed = true;
    };
    const result = await work(under(key, onReplay, who));
    return { result, isReplayed };
  }

  /** What came of a request: `done`, `replayed` or the code of its refusal. */
  async function outcomeOf(key: string, work: (caller: Caller) => Promise<unknown>): Promise<string> {
    try {
      return (await repeated(key, work)).isReplayed ? 'replayed' : 'done';
    } catch (error) {
      assert.ok(error instanceof Failure, String(error));
      return error.code;
    }
  }

  const change =
    (update: object, on = registry) =>
    (caller: Caller) =>
      updateApp(on, caller, { appId: app.id, developerId: app.developerId, update });
  const keys = async () => (await rowsOf(registry.storage, 'idempotency_keys')).map(({ key }) => key).toSorted();
  const run = (text: string) => registry.storage.write((transaction) => execute(transaction, text));
  /** A second storage on the same database stands for another process. */
  const otherProcess = async (): Promise<Registry> => ({
    ...{ ...registry, storage: await openStorage(fixture.databaseUrl) },
  });

  test('a retry gets the response of the first request, even after another update, and changes nothing', async () => {
    const first = await repeated('one', change({ name: 'First' }));
    await repeated('two', change({ name: 'Second' }));
    const stored = await everything(registry.storage);
    assert.deepEqual(await repeated('one', change({ name: 'First' })), { ...first, isReplayed: true });
    assert.deepEqual(await everything(registry.storage), stored);
  });

  test('a key is retained for 24 hours, and can then be used again', async () => {
    const [first, second] = [change({ name: 'For a day' }), change({ name: 'For another day' })];
    assert.equal(await outcomeOf('a day', first), 'done');
    now += dayMs - 1;
    assert.equal(await outcomeOf('a day', first), 'replayed');
    now += 1;
    assert.equal(await outcomeOf('a day', second), 'done');
    assert.equal(await outcomeOf('a day', second), 'replayed');
  });

  test('a key does not expire by a clock that is ahead and not confirmed', async () => {
    const ahead: Registry = { ...registry, now: () => now + 31 * dayMs };
    await repeated('ahead', change({ name: 'Ahead' }));
    assert.equal(await outcomeOf('ahead', change({ name: 'Ahead' }, ahead)), 'replayed');
  });

  test('maintenance deletes expired keys only', async () => {
    await repeated('old', change({ name: 'Old' }));
    now += dayMs / 2;
    await repeated('young', change({ name: 'Young' }));
    now += dayMs / 2;
    await pruneIdempotencyKeys(registry);
    assert.deepEqual(await keys(), ['young']);
    assert.equal(await pruneIdempotencyKeys(registry), 0);
  });

  test('of concurrent requests with one key in two processes, only one takes effect', async () => {
    const other = await otherProcess();
    const { id: appId } = await fixture.newApp();
    const submit = (on: Registry) => outcomeOf('at once', (caller) => reviewApp(on, caller, { appId, step: 'submit' }));
    const requests = Array.from({ length: 12 }, (_, index) => submit(index % 2 === 0 ? registry : other));
    const outcomes = await Promise.all(requests);
    await other.storage.close();
    assert.equal(outcomes.filter((outcome) => outcome === 'done').length, 1, outcomes.join());
    // None of them was validated by the status that the first has left.
    assert.ok(outcomes.every((outcome) => ['done', 'replayed', 'request_in_progress'].includes(outcome)));
    assert.equal(await submit(registry), 'replayed');
    const events = await fixture.eventsOf(appId);
    assert.deepEqual(
      events.map(({ type }) => type),
      ['app.created', 'app.submitted'],
    );
  });

  test('while the first request is in progress, a retry in another process is refused or waits for its response', async () => {
    const other = await otherProcess();
    const { first, repeat } = await registry.storage.write(async (transaction) => {
      await findAppForUpdate(transaction, { id: app.id });
      // It waits for this transaction to end, which locks the row, and on SQLite the database.
      const first = outcomeOf('held', change({ name: 'Held' }));
      await someoneWaits(registry.storage);
      const repeat = outcomeOf('held', change({ name: 'Held' }, other));
      if (engine.name === 'postgres') await repeat;
      return { first, repeat };
    });
    const waited = engine.name === 'postgres' ? 'request_in_progress' : 'replayed';
    // On SQLite, either process may be the next to write.
    assert.deepEqual((await Promise.all([first, repeat])).toSorted(), ['done', waited]);
    await other.storage.close();
  });

  test('changes of one app that share transactions are each made once', async () => {
    const installations = await Promise.all(Array.from({ length: 20 }, () => fixture.install(app)));
    const disable = ({ id }: { id: string }) =>
      outcomeOf(id, (caller) => setInstallationEnabled(registry, caller, { id, enabled: false }));
    assert.deepEqual(new Set(await Promise.all(installations.map(disable))), new Set(['done']));
    const stored = await everything(registry.storage);
    assert.deepEqual(new Set(await Promise.all(installations.map(disable))), new Set(['replayed']));
    assert.deepEqual(await everything(registry.storage), stored);
  });

  test('a change whose key cannot be stored is not made, and its retry makes it', async () => {
    const { id: appId } = await fixture.newApp();
    const { id } = await fixture.install(app);
    const changes = {
      submit: (caller: Caller) => reviewApp(registry, caller, { appId, step: 'submit' }),
      disable: (caller: Caller) => setInstallationEnabled(registry, caller, { id, enabled: false }),
    };
    const stored = await everything(registry.storage);
    // The database refuses every key, as when the process dies before it is stored.
    const isSqlite = engine.name === 'sqlite';
    if (!isSqlite) {
      await run(`create function no_key() returns trigger language plpgsql as $$ begin raise 'no key'; end $$`);
    }
    const body = isSqlite ? `begin select raise(abort, 'no key'); end` : 'execute function no_key()';
    await run(`create trigger no_key before insert on idempotency_keys for each row ${body}`);
    for (const [key, work] of Object.entries(changes)) await assert.rejects(work(under(key)));
    assert.deepEqual(await everything(registry.storage), stored);
    await run(`drop trigger no_key${isSqlite ? '' : ' on idempotency_keys'}`);
    for (const [key, work] of Object.entries(changes)) assert.equal(await outcomeOf(key, work), 'done');
    for (const [key, work] of Object.entries(changes)) assert.equal(await outcomeOf(key, work), 'replayed');
  });

  test('a key belongs to its caller, and refuses other content', async () => {
    const create = (email: string) => (caller: Caller) => createDeveloper(registry, caller, { email });
    const first = await repeated('once', create('once@example.com'));
    assert.equal(first.isReplayed, false);
    assert.deepEqual(await repeated('once', create('once@example.com')), { ...first, isReplayed: true });
    assert.equal(await outcomeOf('once', create('other@example.com')), 'idempotency_key_reused');
    assert.equal((await repeated('once', create('once@example.com'), 'token_x')).isReplayed, false);
  });

  describe('a retry', () => {
    test('gets the first response even after the changed object is deleted', async () => {
      const { id } = await fixture.install(app);
      const set = (enabled: boolean) => setInstallationEnabled(registry, under('deleted'), { id, enabled });
      const first = await set(false);
      await deleteInstallation(registry, commandLine, id);
      assert.deepEqual(await set(false), first);
      await assertRefused(registry, () => set(true), 'idempotency_key_reused');
    });

    test('gets the first status of a webhook with its current URL, and nothing once the webhook is deleted', async () => {
      const { id } = await createWebhook(registry, commandLine, { url: 'https://one.example/hook' });
      const disable = () => setWebhookEnabled(registry, under('webhook'), { id, enabled: false });
      const first = await disable();
      await setWebhookEnabled(registry, commandLine, { id, enabled: true });
      const url = 'https://two.example/hook';
      await updateWebhook(registry, commandLine, { id, update: { url } });
      assert.deepEqual(contentOf(await disable()), { ...contentOf(first), url });
      await deleteWebhook(registry, commandLine, id);
      await assertRefused(registry, disable, 'webhook_not_found');
    });

    test('shows a developer with the current personal data, which is not stored with the key', async () => {
      const { id: userId } = fixture.otherDeveloper;
      const rename = (caller: Caller, firstName: string) =>
        updateDeveloper(registry, caller, { userId, update: { firstName } });
      await rename(under('person'), 'Grace');
      await rename(commandLine, 'Admiral');
      assert.equal((await rename(under('person'), 'Grace')).firstName, 'Admiral');
      const row = (await rowsOf(registry.storage, 'idempotency_keys')).find(({ key }) => key === 'person');
      assert.doesNotMatch(JSON.stringify(row ?? assert.fail()), /Grace|@example/);
    });

    test('of a redelivery in batches, which stores its key with the last one, redelivers nothing', async () => {
      const { id: webhookId } = await createWebhook(registry, commandLine, { url: 'https://hooks.example/' });
      const { id } = await testWebhook(registry, commandLine, webhookId);
      const row = (await rowsOf(registry.storage, 'deliveries')).find((one) => one.id === id) ?? assert.fail();
      const delivered = { ...row, state: 'delivered' as const, finished_at: now };
      const many = Array.from({ length: 1_500 }, (_, index) => ({ ...delivered, id: `${id}_${index}` }));
      await registry.storage.write((transaction) => transaction.insertAll('deliveries', many));
      const redelivery = { since: '2024-01-01T00:00:00.000Z' };
      const redeliver = () => redeliverWebhook(registry, under('redelivery'), { webhookId, redelivery });
      const first = await redeliver();
      assert.equal(first.deliveriesRedelivered, 1_500);
      await run(`update deliveries set state = 'delivered' where webhook_id = '${webhookId}'`);
      const stored = await everything(registry.storage);
      assert.deepEqual(await redeliver(), first);
      assert.deepEqual(await everything(registry.storage), stored);
    });
  });
});
